// How long the headers of a checkpoint take to parse and check. The files lie in memory, as they do when they come from
// the Hub: `bench_header FOLDER...` prints for each folder one line of JSON, the milliseconds of all its weight files.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "checkpoint/header.h"
#include "figure.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;

constexpr int kRounds = 15;

struct HeaderText {
  std::string text;
  std::uint64_t file_size = 0;
};

HeaderText read_header(const fs::path& path) {
  HeaderText header{{}, fs::file_size(path)};
  std::ifstream file(path, std::ios::binary);
  std::string first(kLengthBytes, '\0');
  file.read(first.data(), static_cast<std::streamsize>(first.size()));
  header.text.resize(header_length(first, header.file_size).value());
  file.read(header.text.data(), static_cast<std::streamsize>(header.text.size()));
  return header;
}

/// Milliseconds and tensors of one round. The texts are copied before the clock starts: the reader takes them over.
std::pair<double, std::size_t> parse_all(const std::vector<HeaderText>& headers) {
  std::vector<HeaderText> copies = headers;
  std::vector<Header> parsed;
  parsed.reserve(copies.size());
  const double time = milliseconds([&] {
    for (HeaderText& copy : copies) parsed.push_back(parse_header(std::move(copy.text), copy.file_size).value());
  });
  std::size_t num_tensors = 0;
  for (const Header& header : parsed) num_tensors += header.tensors.size();
  return {time, num_tensors};
}

void measure(const fs::path& folder) {
  std::vector<HeaderText> headers;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".safetensors") headers.push_back(read_header(entry.path()));
  double best = parse_all(headers).first;
  std::size_t num_tensors = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto [time, count] = parse_all(headers);
    best = std::min(best, time);
    num_tensors = count;
  }
  fmt::print("{{\"folder\":\"{}\",\"files\":{},\"tensors\":{},\"ms\":{:.4f}}}\n", folder.string(), headers.size(),
             num_tensors, best);
}

}  // namespace
}  // namespace willitrun

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) willitrun::measure(argv[i]);
}
