#include "lookup/snapshot_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "base/checksum.h"

namespace willitrun {
namespace {

static_assert(std::endian::native == std::endian::little, "snapshot files are little-endian and read as they are");

constexpr char kMagic[8] = {'W', 'I', 'R', 'S', 'N', 'A', 'P', 'S'};
constexpr std::size_t kAlignment = 64;  // of every section, and of where the name index begins

/// The start of the file.
struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t header_bytes;
  std::uint64_t file_bytes;
  std::uint64_t num_sections;
  char state[64];
  std::uint64_t body_checksum;    // of everything behind the header
  std::uint64_t header_checksum;  // of the header up to here
};
static_assert(sizeof(Header) == 112);

/// Where a section lies. The table of them follows the header, sorted by name.
struct Entry {
  char name[48];
  std::uint64_t offset;
  std::uint64_t size_bytes;
};
static_assert(sizeof(Entry) == 64);

std::uint64_t padded(std::uint64_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

std::uint64_t checksum_of(const Header& header) {
  return checksum({reinterpret_cast<const char*>(&header), sizeof(Header) - sizeof(header.header_checksum)});
}

Error damaged(std::string_view what) {
  return {Code::Corruption, fmt::format("the snapshot file is damaged: {}", what)};
}

/// The text in a field of fixed size, up to the first zero byte.
std::string_view text_in(const char* field, std::size_t size) {
  return std::string_view(field, size).substr(0, std::string_view(field, size).find('\0'));
}

Result<Header> read_header(std::string_view bytes) {
  Header header{};
  if (bytes.size() < sizeof(Header)) return fail(damaged("it is shorter than its header"));
  std::memcpy(&header, bytes.data(), sizeof(Header));
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0)
    return fail(Code::Corruption, "this file is no snapshot file");
  if (header.version != kSnapshotVersion)
    return fail(Code::InvalidArgument, fmt::format("the snapshot file has version {}, this program knows {}",
                                                   header.version, kSnapshotVersion));
  if (header.header_checksum != checksum_of(header) || header.header_bytes != sizeof(Header))
    return fail(damaged("its header does not match its checksum"));
  if (header.file_bytes != bytes.size())
    return fail(damaged(fmt::format("it has {} bytes instead of {}", bytes.size(), header.file_bytes)));
  return header;
}

}  // namespace

void SnapshotFileWriter::add(std::string name, std::uint64_t size_bytes, Fill fill) {
  CHECK(name.size() < sizeof(Entry::name));
  sections_.push_back({std::move(name), size_bytes, std::move(fill)});
}

void SnapshotFileWriter::add_texts(const std::string& name, std::span<const std::string> texts) {
  std::string bytes;
  std::vector<std::uint64_t> starts = {0};
  for (const std::string& text : texts) {
    bytes += text;
    starts.push_back(bytes.size());
  }
  add(name + ".texts", std::move(bytes));
  add(name + ".starts", std::move(starts));
}

std::string SnapshotFileWriter::finish(std::string_view state) && {
  std::ranges::sort(sections_, {}, &Planned::name);
  std::vector<Entry> table(sections_.size());
  std::uint64_t end = sizeof(Header) + table.size() * sizeof(Entry);
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::memcpy(table[i].name, sections_[i].name.data(), sections_[i].name.size());
    table[i].offset = padded(end);
    table[i].size_bytes = sections_[i].size_bytes;
    end = table[i].offset + table[i].size_bytes;
  }
  Header header{};
  CHECK(state.size() <= sizeof(header.state));
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  std::memcpy(header.state, state.data(), state.size());
  header.version = kSnapshotVersion;
  header.header_bytes = sizeof(Header);
  header.file_bytes = padded(end);
  header.num_sections = table.size();
  std::string bytes;
  bytes.resize_and_overwrite(header.file_bytes, [&](char* to, std::size_t size) {
    std::uint64_t at = sizeof(Header);
    std::memcpy(to + at, table.data(), table.size() * sizeof(Entry));
    at += table.size() * sizeof(Entry);
    for (std::size_t i = 0; i < table.size(); ++i) {
      std::memset(to + at, 0, table[i].offset - at);
      sections_[i].fill(to + table[i].offset);
      sections_[i].fill = nullptr;  // frees what it holds
      at = table[i].offset + table[i].size_bytes;
    }
    std::memset(to + at, 0, size - at);
    return size;
  });
  header.body_checksum = checksum(std::string_view(bytes).substr(sizeof(Header)));
  header.header_checksum = checksum_of(header);
  std::memcpy(bytes.data(), &header, sizeof(Header));
  return bytes;
}

Result<SnapshotFileReader> SnapshotFileReader::open(std::string_view bytes) {
  ASSIGN_OR_RETURN(const Header header, read_header(bytes));
  if (header.num_sections > (bytes.size() - sizeof(Header)) / sizeof(Entry))
    return fail(damaged("its table of sections does not fit"));
  SnapshotFileReader reader;
  reader.bytes_ = bytes;
  for (std::uint64_t i = 0; i < header.num_sections; ++i) {
    const char* at = bytes.data() + sizeof(Header) + i * sizeof(Entry);
    Entry entry{};
    std::memcpy(&entry, at, sizeof(Entry));
    const std::string_view name = text_in(at, sizeof(entry.name));
    const bool fits = entry.offset <= bytes.size() && entry.size_bytes <= bytes.size() - entry.offset;
    const bool in_order = reader.sections_.empty() || reader.sections_.back().first < name;
    if (!fits || !in_order || entry.offset % kAlignment != 0)
      return fail(damaged("a section does not lie where it should"));
    reader.sections_.emplace_back(name, bytes.substr(entry.offset, entry.size_bytes));
  }
  return reader;
}

Status SnapshotFileReader::verify() const {
  Header header{};
  std::memcpy(&header, bytes_.data(), sizeof(Header));
  if (checksum(bytes_.substr(sizeof(Header))) != header.body_checksum)
    return fail(damaged("its content does not match its checksum"));
  return {};
}

std::string_view SnapshotFileReader::state() const {
  return text_in(bytes_.data() + offsetof(Header, state), sizeof(Header::state));
}

std::optional<std::string_view> SnapshotFileReader::find(std::string_view name) const {
  const auto found = std::ranges::lower_bound(sections_, name, {}, [](const auto& section) { return section.first; });
  if (found == sections_.end() || found->first != name) return std::nullopt;
  return found->second;
}

Error SnapshotFileReader::wrong_size(std::string_view section) {
  return damaged(fmt::format("section {} does not hold what it should", section));
}

}  // namespace willitrun
