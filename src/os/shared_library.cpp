#include "os/shared_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace willitrun {

Result<void*> load_function(const std::filesystem::path& library, const char* function) {
  std::error_code error;
  if (!std::filesystem::exists(library, error))
    return fail(Code::NotFound, fmt::format("a part of the program is missing: '{}'", library.string()));
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    return fail(Code::Unavailable, fmt::format("cannot load a part of the program: {}", ::dlerror()));
  void* address = ::dlsym(handle, function);
  if (address == nullptr)
    return fail(Code::NotFound, fmt::format("'{}' has no function '{}'", library.string(), function));
  return address;
}

Result<std::filesystem::path> program_folder() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return fail(Code::Io, fmt::format("cannot find the running program: {}", error.message()));
  return program.parent_path();
}

}  // namespace willitrun
