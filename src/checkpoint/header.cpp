// Reads safetensors headers: a JSON object of name -> {dtype, shape, data_offsets}.
//
// The grammar is so small that a hand-written scanner is both stricter and faster than a general JSON reader: it sees
// every key (so a duplicate cannot hide), refuses every value that the format does not know, and touches each byte
// once. A header of 90,000 tensors is 12 MB of text. Names stay views into it; only those with escapes are copied.
#include "checkpoint/header.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/text.h"
#include "checkpoint/json_scanner.h"
#include "checkpoint/name_table.h"

namespace willitrun {
namespace {

constexpr std::size_t kMaxRank = 255;

std::unexpected<PlanNote> bad(std::string message) { return fault(PlanCode::BadHeader, std::move(message)); }

std::string shown(std::string_view name) {
  constexpr std::size_t kMaxShown = 120;
  return fmt::format("'{}{}'", to_valid_utf8(name.substr(0, kMaxShown)), name.size() > kMaxShown ? "..." : "");
}

/// Multiplies, or returns nothing on overflow.
std::optional<std::uint64_t> checked_multiply(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

class HeaderReader {
 public:
  HeaderReader(Header& header, std::uint64_t data_bytes)
      : header_(header), scan_(*header.text), data_bytes_(data_bytes) {}

  Checked<void> read() {
    header_.has_leading_space = scan_.skip_space();
    if (!scan_.consume('{')) return bad("the header is not a JSON object");
    header_.tensors.reserve(header_.text->size() / 100);
    header_.dimensions.reserve(header_.text->size() / 50);
    if (!scan_.consume_after_space('}')) {
      do {
        if (auto entry = read_entry(); !entry) return entry;
      } while (scan_.consume_after_space(','));
      if (!scan_.consume_after_space('}')) return broken();
    }
    scan_.skip_space();
    if (!scan_.at_end()) return bad("the header is not JSON: text follows the object");
    return check_names();
  }

 private:
  std::unexpected<PlanNote> broken() const {
    return bad(fmt::format("the header is not JSON at byte {}", scan_.position()));
  }

  Checked<void> read_entry() {
    scan_.skip_space();
    const auto name = scan_.string(header_.unescaped);
    if (!name || !scan_.consume_after_space(':')) return broken();
    scan_.skip_space();
    if (*name == "__metadata__") return read_metadata();
    return read_tensor(*name);
  }

  Checked<void> read_metadata() {
    if (has_metadata_) return bad("duplicate key '__metadata__'");
    has_metadata_ = true;
    if (!scan_.consume('{')) return bad("'__metadata__' is not an object of texts");
    if (scan_.consume_after_space('}')) return {};
    std::vector<std::string> kept;
    std::set<std::string, std::less<>> keys;
    do {
      scan_.skip_space();
      const auto key = scan_.string(kept);
      if (key && !keys.emplace(*key).second) return bad(fmt::format("duplicate key {} in '__metadata__'", shown(*key)));
      const bool has_key = key && scan_.consume_after_space(':');
      scan_.skip_space();
      if (!has_key || !scan_.string(kept)) return bad("'__metadata__' is not an object of texts");
    } while (scan_.consume_after_space(','));
    if (!scan_.consume_after_space('}')) return broken();
    return {};
  }

  Checked<void> read_tensor(std::string_view name) {
    TensorInfo tensor;
    tensor.name = name;
    tensor.first_dimension = static_cast<std::uint32_t>(header_.dimensions.size());
    if (!scan_.consume('{')) return bad(fmt::format("tensor {} is not an object", shown(name)));
    bool has_dtype = false, has_shape = false, has_offsets = false;
    do {
      scan_.skip_space();
      const auto key = field_name();
      if (!key || !scan_.consume_after_space(':')) return broken();
      scan_.skip_space();
      bool* seen = *key == "dtype"          ? &has_dtype
                   : *key == "shape"        ? &has_shape
                   : *key == "data_offsets" ? &has_offsets
                                            : nullptr;
      if (!seen) return bad(fmt::format("tensor {} has the unknown field {}", shown(name), shown(*key)));
      if (*seen) return bad(fmt::format("duplicate key {} in tensor {}", shown(*key), shown(name)));
      *seen = true;
      auto field = seen == &has_dtype   ? read_dtype(tensor)
                   : seen == &has_shape ? read_shape(tensor)
                                        : read_offsets(tensor);
      if (!field) return field;
    } while (scan_.consume_after_space(','));
    if (!scan_.consume_after_space('}')) return broken();
    if (!has_dtype || !has_shape || !has_offsets)
      return bad(fmt::format("tensor {} lacks dtype, shape or data_offsets", shown(name)));
    if (auto size = check_size(tensor); !size) return size;
    header_.tensors.push_back(tensor);
    return {};
  }

  /// The name of a tensor's field; nearly always one of three, which need no search for their end.
  std::optional<std::string_view> field_name() {
    if (scan_.consume(R"("dtype")")) return "dtype";
    if (scan_.consume(R"("shape")")) return "shape";
    if (scan_.consume(R"("data_offsets")")) return "data_offsets";
    return scan_.string(header_.unescaped);
  }

  Checked<void> read_dtype(TensorInfo& tensor) {
    const auto text = scan_.string(header_.unescaped);
    if (!text) return bad(fmt::format("tensor {}: dtype is not a text", shown(tensor.name)));
    const auto dtype = from_text<Dtype>(*text);
    if (!dtype) return bad(fmt::format("tensor {}: unknown dtype {}", shown(tensor.name), shown(*text)));
    tensor.dtype = *dtype;
    return {};
  }

  Checked<void> read_shape(TensorInfo& tensor) {
    const auto wrong = [&] {
      return bad(fmt::format("tensor {}: shape is not a list of sizes below 2^64", shown(tensor.name)));
    };
    if (!scan_.consume('[')) return wrong();
    if (scan_.consume_after_space(']')) return {};
    std::size_t rank = 0;
    do {
      scan_.skip_space();
      const auto size = scan_.unsigned_integer();
      if (!size || ++rank > kMaxRank) return wrong();
      header_.dimensions.push_back(*size);
    } while (scan_.consume_after_space(','));
    tensor.rank = static_cast<std::uint8_t>(rank);
    if (!scan_.consume_after_space(']')) return wrong();
    return {};
  }

  Checked<void> read_offsets(TensorInfo& tensor) {
    const auto wrong = [&] {
      return bad(fmt::format("tensor {}: data_offsets is not [begin, end]", shown(tensor.name)));
    };
    if (!scan_.consume('[')) return wrong();
    scan_.skip_space();
    const auto begin = scan_.unsigned_integer();
    if (!begin || !scan_.consume_after_space(',')) return wrong();
    scan_.skip_space();
    const auto end = scan_.unsigned_integer();
    if (!end || !scan_.consume_after_space(']')) return wrong();
    tensor.begin = *begin;
    tensor.end = *end;
    return {};
  }

  Checked<void> check_size(const TensorInfo& tensor) {
    if (tensor.end < tensor.begin || tensor.end > data_bytes_)
      return bad(fmt::format("tensor {}: offsets [{}, {}] lie outside the {} bytes of data", shown(tensor.name),
                             tensor.begin, tensor.end, data_bytes_));
    std::optional<std::uint64_t> bits = bits_of(tensor.dtype);
    for (const std::uint64_t size : header_.shape(tensor)) {
      bits = checked_multiply(*bits, size);
      if (!bits) return bad(fmt::format("tensor {}: the shape is larger than 2^64 bits", shown(tensor.name)));
    }
    if (*bits % 8 != 0)
      return bad(fmt::format("tensor {}: {} bits are no whole number of bytes", shown(tensor.name), *bits));
    if (*bits / 8 != tensor.size_bytes())
      return bad(fmt::format("tensor {}: the shape needs {} bytes, the offsets hold {}", shown(tensor.name), *bits / 8,
                             tensor.size_bytes()));
    return {};
  }

  Checked<void> check_names() {
    NameTable names(header_.tensors.size());
    for (const TensorInfo& tensor : header_.tensors)
      if (!names.add(tensor.name).second) return bad(fmt::format("duplicate key {}", shown(tensor.name)));
    return {};
  }

  Header& header_;
  JsonScanner scan_;
  std::uint64_t data_bytes_;
  bool has_metadata_ = false;
};

/// Checks that the tensors cover the data exactly, in some order, without hole or overlap.
Checked<void> check_cover(const Header& header, std::uint64_t data_bytes) {
  std::vector<const TensorInfo*> order;
  order.reserve(header.tensors.size());
  for (const TensorInfo& tensor : header.tensors) order.push_back(&tensor);
  const auto by_offset = [](const TensorInfo* a, const TensorInfo* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  };
  if (!std::is_sorted(order.begin(), order.end(), by_offset)) std::sort(order.begin(), order.end(), by_offset);
  std::uint64_t end = 0;
  for (const TensorInfo* tensor : order) {
    if (tensor->begin != end)
      return bad(fmt::format("tensor {}: data starts at {} where {} was expected ({})", shown(tensor->name),
                             tensor->begin, end, tensor->begin > end ? "a hole" : "an overlap"));
    end = tensor->end;
  }
  if (end != data_bytes) return bad(fmt::format("the tensors cover {} of {} bytes of data", end, data_bytes));
  return {};
}

}  // namespace

Checked<std::uint64_t> header_length(std::string_view first_bytes, std::uint64_t file_size) {
  if (first_bytes.size() < kLengthBytes || file_size < kLengthBytes)
    return fault(PlanCode::NotSafetensors, fmt::format("not a safetensors file: {} bytes only", file_size));
  const auto starts_with = [&](std::string_view prefix) { return first_bytes.starts_with(prefix); };
  if (starts_with("version "))
    return fault(PlanCode::NotSafetensors,
                 "not a safetensors file: it looks like a Git LFS pointer, the download is incomplete");
  if (starts_with("<!DOCTYP") || starts_with("<!doctyp") || starts_with("<html") || starts_with("<HTML"))
    return fault(PlanCode::NotSafetensors,
                 "not a safetensors file: it looks like an HTML page, the download went wrong");
  if (starts_with("GGUF")) return fault(PlanCode::NotSafetensors, "not a safetensors file: it looks like GGUF");
  if (starts_with("PK\x03\x04"))
    return fault(PlanCode::NotSafetensors, "not a safetensors file: it looks like a PyTorch archive");
  std::uint64_t length = 0;
  for (std::size_t i = kLengthBytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(first_bytes[i]);
  const bool is_text = std::ranges::all_of(first_bytes.substr(0, kLengthBytes), [](char c) {
    return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t';
  });
  if (is_text && length > kMaxHeaderBytes)
    return fault(PlanCode::NotSafetensors, fmt::format("not a safetensors file: it starts with the text '{}'",
                                                       first_bytes.substr(0, kLengthBytes)));
  if (length > kMaxHeaderBytes)
    return bad(fmt::format("header {} > {}, the largest that the format allows", length, kMaxHeaderBytes));
  if (length > file_size - kLengthBytes)
    return bad(fmt::format("header {} does not fit in a file of {} bytes", length, file_size));
  if (length < 2) return bad(fmt::format("header of {} bytes is no JSON object", length));
  return length;
}

Checked<Header> parse_header(std::string text, std::uint64_t file_size) {
  if (file_size < kLengthBytes + text.size())
    return bad(fmt::format("header {} does not fit in a file of {} bytes", text.size(), file_size));
  const std::uint64_t data_bytes = file_size - kLengthBytes - text.size();
  if (!is_utf8(text)) return bad("the header is not UTF-8");
  Header header;
  header.is_aligned = (kLengthBytes + text.size()) % 8 == 0;
  header.text = std::make_unique<const std::string>(std::move(text));
  header.unescaped.reserve(64);
  if (auto read = HeaderReader(header, data_bytes).read(); !read) return std::unexpected(read.error());
  if (auto cover = check_cover(header, data_bytes); !cover) return std::unexpected(cover.error());
  return header;
}

}  // namespace willitrun
