#include "verify/logits.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace willitrun {
namespace {

using testing::ElementsAre;

/// A NumPy file as numpy.save writes it.
std::string numpy_file(std::string header, const std::vector<float>& values) {
  header.resize((header.size() + 1 + 10 + 63) / 64 * 64 - 11, ' ');
  header += '\n';
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() % 256);
  file += static_cast<char>(header.size() / 256);
  file += header;
  for (const float value : values) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    file.append(bytes, sizeof value);
  }
  return file;
}

const std::string kHeader = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";

TEST(ParseLogits, ReadsWhatNumpyWrites) {
  const auto logits = parse_logits(numpy_file(kHeader, {1, 2, 3, 4, 5, 6}));
  ASSERT_TRUE(logits) << logits.error().message;
  EXPECT_EQ(logits->steps, 2u);
  EXPECT_EQ(logits->vocabulary, 3u);
  EXPECT_THAT(logits->row(1), ElementsAre(4, 5, 6));
}

TEST(ParseLogits, RefusesEveryOtherFile) {
  const std::string good = numpy_file(kHeader, {1, 2, 3, 4, 5, 6});
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_EQ(parse_logits(good.substr(0, size)).error().code, Code::Corruption) << size;
  const std::string headers[] = {
      "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }",
      "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }",
      "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (6, 1), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (-2, -3), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
      "{'shape': (2, 3)}",
      "",
  };
  for (const std::string& header : headers)
    EXPECT_FALSE(parse_logits(numpy_file(header, {1, 2, 3, 4, 5, 6}))) << header;
}

TEST(TopTwo, TakesTheLowestIdAmongEqualLogits) {
  const auto pair = [](std::vector<float> row) {
    const auto best = top_two(row);
    return best ? std::pair(best->best, best->second) : std::pair(-1, -1);
  };
  EXPECT_EQ(pair({1, 3, 2}), std::pair(1, 2));
  EXPECT_EQ(pair({3, 3, 3}), std::pair(0, 1));
  EXPECT_EQ(pair({1, 3, 3}), std::pair(1, 2));
  EXPECT_EQ(pair({2, 1, 3, 2}), std::pair(2, 0));
  EXPECT_EQ(pair({3, 1, 2}), std::pair(0, 2));
  EXPECT_EQ(pair({-1, -2}), std::pair(0, 1));
  EXPECT_EQ(pair({1, std::numeric_limits<float>::quiet_NaN()}), std::pair(-1, -1));
}

}  // namespace
}  // namespace willitrun
