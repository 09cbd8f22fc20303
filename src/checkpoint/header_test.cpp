#include "checkpoint/header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace willitrun {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::string_literals;

Checked<Header> parse(std::string text, std::uint64_t data_bytes) {
  const std::uint64_t size = kLengthBytes + text.size() + data_bytes;
  return parse_header(std::move(text), size);
}

std::string tensor(const std::string& name, const std::string& dtype, const std::string& shape,
                   const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

std::string length_prefix(std::uint64_t length) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(length >> (8 * i)));
  return bytes;
}

TEST(Header, ReadsTensorsWithMetadata) {
  const auto header = parse(R"({"__metadata__":{"format":"pt"},)" + tensor("a", "F32", "[2,2]", "[0,16]") + "," +
                                tensor("b", "BF16", "[8]", "[16,32]") + "}",
                            32);
  ASSERT_TRUE(header);
  ASSERT_EQ(header->tensors.size(), 2u);
  EXPECT_EQ(header->tensors[1].name, "b");
  EXPECT_EQ(header->tensors[1].dtype, Dtype::BF16);
  EXPECT_THAT(header->shape(header->tensors[0]), ElementsAre(2, 2));
}

TEST(Header, AcceptsWhatTheFormatAllows) {
  EXPECT_TRUE(parse("{}", 0));
  EXPECT_TRUE(parse(R"({"__metadata__":{}})", 0));
  EXPECT_TRUE(parse("{" + tensor("scalar", "F32", "[]", "[0,4]") + "}    ", 4));
  EXPECT_TRUE(parse("{" + tensor("empty", "F32", "[0,7]", "[0,0]") + "}", 0));
  EXPECT_TRUE(parse("{" + tensor("late", "I8", "[2]", "[1,3]") + "," + tensor("first", "U8", "[1]", "[0,1]") + "}", 3))
      << "any order";
  EXPECT_TRUE(parse("{ \"w\" : { \"shape\" : [ 4 ] , \"data_offsets\" : [ 0 , 4 ] , \"dtype\" : \"BOOL\" } }", 4));
}

TEST(Header, AcceptsAll22Dtypes) {
  for (const auto& [dtype, name] : enum_names(std::type_identity<Dtype>{})) {
    const std::uint64_t bytes = bits_of(dtype);  // eight elements
    const auto header =
        parse("{" + tensor("w", std::string(name), "[8]", "[0," + std::to_string(bytes) + "]") + "}", bytes);
    ASSERT_TRUE(header) << name;
    EXPECT_EQ(header->tensors[0].dtype, dtype);
  }
}

TEST(Header, NotesALeadingSpaceAndAnUnalignedStart) {
  const auto header = parse(" {" + tensor("w", "U8", "[1]", "[0,1]") + "}", 1);
  ASSERT_TRUE(header);
  EXPECT_TRUE(header->has_leading_space);
  EXPECT_EQ(header->is_aligned, (kLengthBytes + header->text->size()) % 8 == 0);
}

TEST(Header, UnescapesNames) {
  const auto header = parse("{" + tensor(R"(a\u0062\"\ud83d\ude00)", "U8", "[1]", "[0,1]") + "}", 1);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->tensors[0].name, "ab\"\xF0\x9F\x98\x80");
}

struct Refusal {
  std::string what, text;
  std::uint64_t data_bytes;
  std::string message;
};

class RefusedHeader : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedHeader, SaysWhy) {
  const auto header = parse(GetParam().text, GetParam().data_bytes);
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().code, PlanCode::BadHeader);
  EXPECT_THAT(header.error().message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Rules, RefusedHeader,
    testing::Values(
        Refusal{"TrailingText", R"({},"__metadata__":{"key":"value"}}      )", 0, "text follows"},
        Refusal{"Array", "[1,2]", 0, "not a JSON object"},
        Refusal{"Truncated", R"({"w":{"dtype":"F32")", 0, "not JSON"},
        Refusal{"DuplicateKey",
                "{" + tensor("w", "BF16", "[4,4]", "[0,32]") + "," + tensor("w", "BF16", "[1,1]", "[0,2]") + "}", 32,
                "duplicate key 'w'"},
        Refusal{"DuplicateByEscape",
                "{" + tensor("w", "U8", "[1]", "[0,1]") + "," + tensor(R"(\u0077)", "U8", "[1]", "[1,2]") + "}", 2,
                "duplicate key 'w'"},
        Refusal{"DuplicateField", R"({"w":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1,
                "duplicate key 'dtype'"},
        Refusal{"TwoMetadata", R"({"__metadata__":{},"__metadata__":{}})", 0, "duplicate key '__metadata__'"},
        Refusal{"MetadataNumber", R"({"__metadata__":{"step":3}})", 0, "not an object of texts"},
        Refusal{"UnknownField", R"({"w":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"strides":[1]}})", 1,
                "unknown field 'strides'"},
        Refusal{"MissingField", R"({"w":{"dtype":"U8","shape":[1]}})", 1, "lacks"},
        Refusal{"Hole", "{" + tensor("a", "U8", "[1]", "[0,1]") + "," + tensor("b", "U8", "[1]", "[2,3]") + "}", 3,
                "a hole"},
        Refusal{"Overlap", "{" + tensor("a", "U8", "[2]", "[0,2]") + "," + tensor("b", "U8", "[2]", "[1,3]") + "}", 3,
                "an overlap"},
        Refusal{"Uncovered", "{" + tensor("a", "U8", "[1]", "[0,1]") + "}", 9, "cover 1 of 9"},
        Refusal{"ShapeAgainstOffsets", "{" + tensor("a", "F32", "[3]", "[0,16]") + "}", 16, "needs 12 bytes"},
        Refusal{"BackwardOffsets", "{" + tensor("a", "U8", "[32]", "[32,0]") + "}", 32, "outside"},
        Refusal{"PastTheEnd", "{" + tensor("a", "U8", "[2000000]", "[0,2000000]") + "}", 100, "outside"},
        Refusal{"NegativeSize", "{" + tensor("a", "F32", "[-4]", "[0,16]") + "}", 16, "shape is not"},
        Refusal{"HugeSize", "{" + tensor("a", "F32", "[4611686018427387904,16]", "[0,16]") + "}", 16,
                "larger than 2^64"},
        Refusal{"SizeBeyond64Bits", "{" + tensor("a", "F32", "[99999999999999999999]", "[0,16]") + "}", 16,
                "shape is not"},
        Refusal{"FractionalSize", "{" + tensor("a", "F32", "[4.0]", "[0,16]") + "}", 16, "shape is not"},
        Refusal{"LeadingZero", "{" + tensor("a", "F32", "[04]", "[0,16]") + "}", 16, "shape is not"},
        Refusal{"UnknownDtype", "{" + tensor("a", "ZZ", "[1]", "[9223372036854775808,9223372036854775816]") + "}", 100,
                "unknown dtype 'ZZ'"},
        Refusal{"HalfAByte", "{" + tensor("a", "F4", "[3]", "[0,2]") + "}", 2, "no whole number of bytes"},
        Refusal{"InvalidUtf8", "{" + tensor("a\xFF", "U8", "[1]", "[0,1]") + "}", 1, "not UTF-8"},
        Refusal{"ControlCharacter", "{" + tensor("a\n"s, "U8", "[1]", "[0,1]") + "}", 1, "not JSON"},
        Refusal{"LoneSurrogate", "{" + tensor(R"(\ud800)", "U8", "[1]", "[0,1]") + "}", 1, "not JSON"}),
    [](const auto& row) { return row.param.what; });

TEST(ParseHeader, RefusesATwiceGivenKeyOfTheMetadata) {
  const auto header = parse_header(R"({"__metadata__":{"format":"pt","\u0066ormat":"tf"}})", 8 + 51);
  ASSERT_FALSE(header);
  EXPECT_THAT(header.error().message, HasSubstr("duplicate key 'format'"));
}

TEST(HeaderLength, ReadsAndBounds) {
  EXPECT_EQ(header_length(length_prefix(16), 24).value_or(0), 16u);
  EXPECT_THAT(header_length(length_prefix(132'095'296), 7'000'000'000).error().message,
              HasSubstr("header 132095296 > 100000000"));
  EXPECT_THAT(header_length(length_prefix(1ULL << 40), 1000).error().message, HasSubstr("> 100000000"));
  EXPECT_THAT(header_length(length_prefix(24), 24).error().message, HasSubstr("does not fit"))
      << "the length may not count itself";
  EXPECT_FALSE(header_length(length_prefix(0), 100));
}

TEST(HeaderLength, RecognisesOtherFiles) {
  for (const std::string_view start :
       {"version https://git-lfs.github.com/spec/v1", "<!DOCTYPE html>", "<html><head>", "GGUF\3\0\0\0", "PK\3\4abcd",
        "<?xml version='1.0'?>", "{\"error\":\"Repository\"}", "Not Found", "404: Not Found"}) {
    const auto length = header_length(start.substr(0, 8), 1000);
    ASSERT_FALSE(length) << start;
    EXPECT_EQ(length.error().code, PlanCode::NotSafetensors) << start;
  }
  EXPECT_EQ(header_length("abc", 3).error().code, PlanCode::NotSafetensors);
}

}  // namespace
}  // namespace willitrun
