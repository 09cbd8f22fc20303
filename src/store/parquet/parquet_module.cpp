// The one entry of the shared library: everything that needs Arrow is behind it. No exception of Arrow's leaves this
// file.

#include <fmt/format.h>

#include <exception>

#include "store/parquet/row_reader.h"
#include "store/parquet/row_writer.h"
#include "store/parquet_codec.h"

namespace willitrun {
namespace {

template <class Work>
auto without_exceptions(const std::string& name, Work work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return fail(Code::ResourceExhausted, fmt::format("'{}': no memory", name));
  } catch (const std::exception& error) {
    return fail(Code::Corruption, fmt::format("'{}': cannot read it as Parquet: {}", name, error.what()));
  }
}

class ArrowCodec : public ParquetCodec {
 public:
  Result<std::string> encode(const std::vector<Row>& rows, DatasetKind kind) const override {
    return without_exceptions("rows", [&] { return write_rows(rows, kind); });
  }

  Result<DatasetFile> decode(std::string_view bytes, const std::string& name) const override {
    return without_exceptions(name, [&] { return read_rows(bytes, name, true); });
  }

  Status visit_verdicts(std::string_view bytes, const std::string& name, const WantedColumns& wanted,
                        const UseRows& use) const override {
    return without_exceptions(name, [&] { return visit_verdict_rows(bytes, name, wanted, use); });
  }

  Result<DatasetFile> describe(std::string_view bytes, const std::string& name) const override {
    return without_exceptions(name, [&] { return read_rows(bytes, name, false); });
  }
};

}  // namespace
}  // namespace willitrun

extern "C" __attribute__((visibility("default"))) const willitrun::ParquetCodec* willitrun_parquet_codec() {
  static const willitrun::ArrowCodec codec;
  return &codec;
}
