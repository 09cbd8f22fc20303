// Reads the weight headers of one model some times over and prints the milliseconds that the median took, from the
// model's description on. bench/hub_headers.py runs it beside huggingface_hub and counts what each asks of the Hub.
//   bench_hub_headers ENDPOINT MODEL ROUNDS

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "hub/http_hub.h"
#include "os/clock.h"

namespace {

using namespace willitrun;

Status read_headers(Hub& hub, const std::string& model) {
  ASSIGN_OR_RETURN(const ModelInfo info, hub.model_info({.id = model}));
  ASSIGN_OR_RETURN(const std::vector<HubFile> files, hub.list_files(repo_of(info)));
  std::vector<HubFile> weights;
  for (const HubFile& file : files)
    if (file.path.ends_with(".safetensors")) weights.push_back(file);
  for (const auto& header : read_safetensors_headers(hub, repo_of(info), weights)) RETURN_IF_ERROR(header);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::atomic<bool> never = false;
  const auto hub = make_http_hub({.endpoint = argv[1]}, never);
  std::vector<double> times_ms;
  for (int i = 0; i < std::atoi(argv[3]); ++i) {
    const double start_s = system_clock().monotonic_s();
    if (const Status read = read_headers(*hub, argv[2]); !read) {
      fmt::print(stderr, "{}\n", read.error().message);
      return 1;
    }
    times_ms.push_back((system_clock().monotonic_s() - start_s) * 1000);
  }
  std::ranges::sort(times_ms);
  fmt::print("{}\n", times_ms[times_ms.size() / 2]);
  return 0;
}
