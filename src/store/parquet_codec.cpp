#include "store/parquet_codec.h"

#include "os/shared_library.h"

namespace willitrun {
namespace {

// Beside the program: build/<preset>/bin and lib/willitrun, <prefix>/bin and lib/willitrun alike.
constexpr const char* kLibrary = "../lib/willitrun/libwillitrun_parquet.so";

Result<const ParquetCodec*> load_codec() {
  ASSIGN_OR_RETURN(const auto folder, program_folder());
  ASSIGN_OR_RETURN(void* const address,
                   load_function((folder / kLibrary).lexically_normal(), "willitrun_parquet_codec"));
  return reinterpret_cast<const ParquetCodec* (*)()>(address)();
}

}  // namespace

Result<const ParquetCodec*> parquet_codec() {
  static const Result<const ParquetCodec*> codec = load_codec();
  return codec;
}

}  // namespace willitrun
