#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace willitrun {

/// The Python that runs scripts for one Transformers version on a target.
struct Interpreter {
  std::string transformers;  ///< Version, e.g. `5.24.0`.
  std::string path;          ///< Absolute path of the Python program.
};

/// A kind of device to test, as targets/<name>.toml describes it.
struct Target {
  std::string name;             ///< `trn2`, `trn2-emulated`, `cpu`.
  std::string device;           ///< PyTorch device type: `neuron` or `cpu`.
  std::string compile_backend;  ///< Backend given to torch.compile: `neuron`, `aot_eager`, ...
  bool emulated = false;  ///< True when the device only imitates Trainium. Such results are never a Trainium PASS.
  std::vector<int> core_counts;         ///< Counts that a model may be placed on, ascending: 1, 2, 4, 8, 16 on trn2.
  std::uint64_t core_memory_bytes = 0;  ///< Device memory of one logical core.
  std::uint64_t reserve_bytes_per_core = 0;        ///< Kept free for the runtime: code, scratch pads, rings.
  std::map<std::string, std::string> environment;  ///< Set for every script, beside what the sandbox sets.
  std::vector<Interpreter> interpreters;           ///< At least one; the first is the default version.
};

}  // namespace willitrun
