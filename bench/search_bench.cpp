// How fast names are found: bench_search [NUMBER OF NAMES, default 2000000] [FILE to write the names to] [--json FILE].
// bench/search_peers.py runs it and adds a peer of another kind.
// Peers in the same run: memmem over one folded text, and std::string::find name by name.
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "figure.h"
#include "name_samples.h"
#include "search/fold.h"
#include "search/name_index.h"
#include "search/name_index_builder.h"

namespace {

using namespace willitrun;

constexpr std::size_t kPage = 50;

/// The peers' view of the names, folded: each name ended by a zero byte, and one string per name.
struct PeerData {
  std::string text;
  std::vector<std::string> names;
};

/// Names that hold the word, at most `limit`.
std::size_t search_by_memmem(const PeerData& data, const std::string& word, std::size_t limit) {
  std::size_t found = 0;
  for (std::size_t at = 0; found < limit; ++found) {
    const void* place = ::memmem(data.text.data() + at, data.text.size() - at, word.data(), word.size());
    if (place == nullptr) break;
    at = data.text.find('\0', static_cast<std::size_t>(static_cast<const char*>(place) - data.text.data())) + 1;
  }
  return found;
}

std::size_t search_by_find(const PeerData& data, const std::string& word, std::size_t limit) {
  std::size_t found = 0;
  for (const std::string& name : data.names)
    if (name.find(word) != std::string::npos && ++found == limit) break;
  return found;
}

/// Times `search` on every word.
template <class Search>
std::vector<double> times_of(const std::vector<std::string>& words, Search search) {
  std::vector<double> times;
  std::size_t sum = 0;
  for (const std::string& word : words) times.push_back(milliseconds([&] { sum += search(word); }));
  if (sum == SIZE_MAX) std::abort();  // keeps the answers alive
  return times;
}

NameQuery query_of(const std::string& word) { return NameQuery{{word}}; }

PeerData peer_data(const std::vector<std::string>& names) {
  PeerData data;
  for (const std::string& name : names) {
    data.names.push_back(fold_text(name));
    data.text += data.names.back() + kNameEnd;
  }
  return data;
}

}  // namespace

int main(int argc, char** argv) {
  Figures figures(argc, argv);
  const std::size_t size = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2'000'000;
  const auto names = sample_names(size);
  if (argc > 2) {
    std::ofstream file(argv[2]);
    for (const std::string& name : names) file << name << '\n';
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto figure = [&](std::string name, double ours, double goal, double peer = 0, std::string peer_name = "") {
    figures.add({fmt::format("search {} names: {}", size, name), "ms", ours, peer, std::move(peer_name), goal,
                 fmt::format("bench_search {}", size)});
  };

  std::string bytes;
  figure("build the index", milliseconds([&] { bytes = build_name_index(views).value(); }), 2000);
  const auto index = NameIndex::open(bytes).value();
  const auto portable = NameIndex::open(bytes, usable_kernels().back()).value();
  const PeerData peers = peer_data(names);
  std::vector<std::string> words;
  for (const std::string& text : sample_searches(names, 3000)) words.push_back(fold_text(text));
  const std::vector<std::string> few(words.begin(), words.begin() + 60);  // the peers are slow
  for (const std::string& word : few)
    if (index.count(query_of(word)).count != search_by_find(peers, word, SIZE_MAX)) std::abort();

  const auto page = [&](const std::string& word) { return index.find(query_of(word), 0, kPage).names.size(); };
  const auto count = [&](const std::string& word) { return index.count(query_of(word)).count; };
  const auto pages = times_of(words, page);
  const auto few_pages = times_of(few, page);
  const auto counts = times_of(words, count);
  const auto few_counts = times_of(few, count);
  const auto by_memmem = times_of(few, [&](const std::string& word) { return search_by_memmem(peers, word, kPage); });
  const auto by_find = times_of(few, [&](const std::string& word) { return search_by_find(peers, word, kPage); });
  const auto memmem_counts =
      times_of(few, [&](const std::string& word) { return search_by_memmem(peers, word, SIZE_MAX); });
  const auto find_counts =
      times_of(few, [&](const std::string& word) { return search_by_find(peers, word, SIZE_MAX); });
  figure("first page p50, 3000 searches", percentile(pages, 0.5), 0);
  figure("first page p99, 3000 searches", percentile(pages, 0.99), 1);
  figure("first page worst, 3000 searches", percentile(pages, 1), 0);
  figure("first page p95, 60 searches", percentile(few_pages, 0.95), 1, percentile(by_memmem, 0.95), "memmem");
  figure("first page p95, 60 searches", percentile(few_pages, 0.95), 1, percentile(by_find, 0.95), "std::string::find");
  figure("full count p99, 3000 searches", percentile(counts, 0.99), 8);
  figure("full count worst, 3000 searches", percentile(counts, 1), 8);
  figure("full count p95, 60 searches", percentile(few_counts, 0.95), 8, percentile(memmem_counts, 0.95), "memmem");
  figure("full count p95, 60 searches", percentile(few_counts, 0.95), 8, percentile(find_counts, 0.95),
         "std::string::find");
  figure("full count p95, 60 searches, portable kernel",
         percentile(times_of(few, [&](const std::string& word) { return portable.count(query_of(word)).count; }), 0.95),
         0);

  const std::vector<std::string> letters = {"a", "e", "q", "z", "0", "/", "-", "~"};
  figure("one letter: worst first page", percentile(times_of(letters, page), 1), 1);
  figure("one letter: worst count", percentile(times_of(letters, count), 1), 8);
}
