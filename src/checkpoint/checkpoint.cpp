#include "checkpoint/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/text.h"
#include "checkpoint/config_check.h"
#include "checkpoint/expected_header.h"
#include "checkpoint/name_table.h"
#include "checkpoint/weight_files.h"

namespace willitrun {
namespace {

constexpr std::size_t kShownNames = 3;

/// Parses the texts, which it takes; many of them on two threads.
std::vector<Checked<Header>> parse_headers(std::vector<std::string>& texts, const std::vector<ModelFile>& files) {
  std::vector<Checked<Header>> headers(texts.size());
  std::atomic<std::size_t> next = 0;
  const auto parse = [&] {
    for (std::size_t i = next++; i < texts.size(); i = next++)
      headers[i] = parse_header(std::move(texts[i]), files[i].size_bytes);
  };
  constexpr std::size_t kMany = 8;
  std::jthread helper;
  if (texts.size() >= kMany) helper = std::jthread(parse);
  parse();
  if (helper.joinable()) helper.join();
  return headers;
}

/// Reads the headers of all weight files: of each as much as its header should take, then what is missing.
Result<Checked<std::vector<Shard>>> read_headers(ModelFiles& source, const std::vector<ModelFile>& files,
                                                 const WeightIndex* index) {
  const std::vector<std::uint64_t> firsts = expected_header_ends(files, index);
  std::vector<WeightRange> ranges;
  for (std::size_t i = 0; i < files.size(); ++i) ranges.push_back({files[i].name, 0, firsts[i]});
  ASSIGN_OR_RETURN(std::vector<std::string> texts, source.read_ranges(ranges));
  std::vector<WeightRange> rest;
  std::vector<std::uint64_t> lengths;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto length = header_length(texts[i], files[i].size_bytes);
    if (!length)
      return Checked<std::vector<Shard>>(fault(length.error().code, files[i].name + ": " + length.error().message));
    lengths.push_back(*length);
    texts[i].erase(0, std::min<std::size_t>(kLengthBytes, texts[i].size()));
    if (texts[i].size() < *length)
      rest.push_back({files[i].name, kLengthBytes + texts[i].size(), *length - texts[i].size()});
    texts[i].resize(std::min<std::size_t>(texts[i].size(), *length));
  }
  if (!rest.empty()) {
    ASSIGN_OR_RETURN(const std::vector<std::string> more, source.read_ranges(rest));
    std::size_t next = 0;
    for (std::size_t i = 0; i < files.size(); ++i)
      if (texts[i].size() < lengths[i]) texts[i] += more[next++];
  }
  for (std::size_t i = 0; i < files.size(); ++i)
    if (texts[i].size() != lengths[i])
      return fail(Code::Io, fmt::format("{}: the file is shorter than it was listed", files[i].name));
  std::vector<Shard> shards;
  std::vector<Checked<Header>> headers = parse_headers(texts, files);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!headers[i])
      return Checked<std::vector<Shard>>(
          fault(headers[i].error().code, files[i].name + ": " + headers[i].error().message));
    shards.push_back({files[i].name, std::move(*headers[i])});
  }
  return shards;
}

/// Where a name is found: in which shard, and as which tensor.
struct Place {
  const Shard* shard;
  const TensorInfo* tensor;
};

std::size_t count_tensors(const std::vector<Shard>& shards) {
  std::size_t count = 0;
  for (const Shard& shard : shards) count += shard.header.tensors.size();
  return count;
}

/// Finds all names; of equal ones the last shard's wins, as in the loader, which merges them into one dictionary.
NameTable find_names(Checkpoint& checkpoint) {
  const std::size_t count = count_tensors(checkpoint.shards);
  NameTable names(count);
  std::vector<Place> places;
  places.reserve(count);
  for (const Shard& shard : checkpoint.shards)
    for (const TensorInfo& tensor : shard.header.tensors) {
      checkpoint.stored_bytes += tensor.size_bytes();
      const auto [number, is_new] = names.add(tensor.name);
      if (is_new) {
        places.push_back({&shard, &tensor});
        continue;
      }
      Place& place = places[number];
      checkpoint.notes.push_back({PlanCode::DuplicateTensor, fmt::format("tensor '{}' lies in '{}' and in '{}'",
                                                                         tensor.name, place.shard->name, shard.name)});
      checkpoint.duplicates.push_back(place.tensor);
      place = {&shard, &tensor};
    }
  return names;
}

/// Compares what the index promises with what the shards hold.
void compare_with_index(const WeightIndex& index, const NameTable& names, Checkpoint& checkpoint) {
  std::vector<std::string> ghosts;
  std::size_t found = 0;
  for (const IndexEntry& entry : index.entries) {
    if (names.find(entry.tensor))
      ++found;
    else
      ghosts.push_back(fmt::format("'{}' in '{}'", entry.tensor, index.files[entry.file]));
  }
  if (!ghosts.empty() && !checkpoint.contradiction) {
    const std::size_t count = ghosts.size();
    ghosts.resize(std::min(count, kShownNames));
    checkpoint.notes.push_back(
        {PlanCode::GhostTensor,
         fmt::format("the index names {} tensor{} that no shard holds: {}{}", count, count == 1 ? "" : "s",
                     join(ghosts, ", "), count > kShownNames ? ", ..." : "")});
    checkpoint.contradiction = PlanNote{PlanCode::IndexMismatch,
                                        fmt::format("{} ghost tensor{}: {}", count, count == 1 ? "" : "s", ghosts[0])};
  }
  if (found < names.size())
    checkpoint.notes.push_back(
        {PlanCode::IndexMismatch,
         fmt::format("the shards hold {} tensors that the index does not name; the loader reads them all the same",
                     names.size() - found)});
  if (index.declared_bytes && *index.declared_bytes != checkpoint.stored_bytes && !checkpoint.contradiction)
    checkpoint.notes.push_back(
        {PlanCode::DeclaredTotalWrong, fmt::format("the index declares {} bytes, the shards hold {}",
                                                   *index.declared_bytes, checkpoint.stored_bytes)});
}

void note_oddities(const Shard& shard, std::vector<PlanNote>& notes) {
  if (!shard.header.is_aligned)
    notes.push_back({PlanCode::BadHeader,
                     fmt::format("{}: the data does not start at a multiple of 8; readers must copy it", shard.name)});
  if (shard.header.has_leading_space)
    notes.push_back(
        {PlanCode::BadHeader,
         fmt::format("{}: the header starts with white space, which the format forbids and its library accepts",
                     shard.name)});
}

Checked<Checkpoint> as_fault(PlanNote note) { return std::unexpected(std::move(note)); }

bool lists(const std::vector<ModelFile>& listing, std::string_view name) {
  return std::any_of(listing.begin(), listing.end(), [&](const ModelFile& file) { return file.name == name; });
}

}  // namespace

Result<Checked<Checkpoint>> read_checkpoint(ModelFiles& files) {
  ASSIGN_OR_RETURN(const std::vector<ModelFile> listing, files.list());
  if (!lists(listing, "config.json")) return as_fault({PlanCode::BadConfig, "no config.json"});
  ASSIGN_OR_RETURN(const std::string config_text, files.read("config.json"));
  auto config = ModelConfig::parse(config_text);
  if (!config) return as_fault(config.error());
  if (const auto checked = check_config(*config); !checked) return as_fault(checked.error());
  std::optional<WeightIndex> index;
  if (needs_index(listing)) {
    ASSIGN_OR_RETURN(std::string text, files.read(std::string(kWeightIndex)));
    auto parsed = parse_weight_index(std::move(text));
    if (!parsed) return as_fault(parsed.error());
    index = std::move(*parsed);
  }
  Checkpoint checkpoint(std::move(*config));
  auto choice = choose_weights(listing, index ? &*index : nullptr);
  if (!choice) return as_fault(choice.error());
  checkpoint.contradiction = std::move(choice->contradiction);
  checkpoint.notes = std::move(choice->notes);
  ASSIGN_OR_RETURN(auto shards, read_headers(files, choice->files, index ? &*index : nullptr));
  if (!shards) return as_fault(shards.error());
  checkpoint.shards = std::move(*shards);
  if (count_tensors(checkpoint.shards) == 0) return as_fault({PlanCode::NoWeights, "the weight files hold no tensors"});
  for (const Shard& shard : checkpoint.shards) note_oddities(shard, checkpoint.notes);
  const NameTable names = find_names(checkpoint);
  if (index) checkpoint.declared_parameters = index->declared_parameters;
  if (index) compare_with_index(*index, names, checkpoint);
  return checkpoint;
}

}  // namespace willitrun
