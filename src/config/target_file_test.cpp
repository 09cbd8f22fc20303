#include "config/target_file.h"

#include <gtest/gtest.h>

#include "os/file.h"

namespace willitrun {
namespace {

constexpr std::string_view kGood = R"(
name = "t"
device = "neuron"
compile_backend = "neuron"
[cores]
counts = [1, 2]
memory_bytes = 1024
[[interpreter]]
transformers = "5.24.0"
path = "${WHERE}/python"
)";

std::string no_variable(std::string_view) { return ""; }

std::string error_of(std::string_view toml) {
  const auto target = parse_target(toml, "t.toml", no_variable);
  return target ? "" : target.error().message;
}

std::string with(std::string_view from, std::string_view to) {
  std::string toml(kGood);
  return toml.replace(toml.find(from), from.size(), to);
}

TEST(TargetFile, ReadsEveryField) {
  const auto target =
      parse_target(kGood, "t.toml", [](std::string_view name) { return name == "WHERE" ? "/opt" : ""; });
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ(target->core_counts, (std::vector<int>{1, 2}));
  EXPECT_EQ(target->core_memory_bytes, 1024u);
  EXPECT_EQ(target->interpreters.at(0).path, "/opt/python");
}

TEST(TargetFile, KeepsAnEmptyPathWhenTheVariableIsNotSet) {
  EXPECT_EQ(parse_target(kGood, "t.toml", no_variable).value().interpreters.at(0).path, "");
}

TEST(TargetFile, LetsTheEnvironmentNameTheCoresMemory) {
  const auto target =
      parse_target(with("[cores]", "[environment]\nBYTES = \"${cores.memory_bytes}\"\n[cores]"), "t.toml", no_variable);
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_EQ(target->environment.at("BYTES"), "1024");
  EXPECT_EQ(error_of(with("[cores]", "[environment]\nBYTES = \"${colour}\"\n[cores]")),
            "t.toml: '${colour}' of 'environment.BYTES' is not known");
}

TEST(TargetFile, NamesWhatIsWrong) {
  EXPECT_EQ(error_of(with("memory_bytes", "memory_byte")), "t.toml: 'cores.memory_bytes' is missing");
  EXPECT_EQ(error_of(with("name", "colour = \"red\"\nname")), "t.toml: 'colour' is not a known key");
  EXPECT_EQ(error_of(with("path =", "paths = 1\npath =")), "t.toml: 'interpreter[0].paths' is not a known key");
  EXPECT_EQ(error_of(with("1024", "\"1024\"")), "t.toml: 'cores.memory_bytes' must be a whole number");
  EXPECT_EQ(error_of(with("1024", "-1")), "t.toml: 'cores.memory_bytes' must not be negative");
  EXPECT_EQ(error_of(with("[1, 2]", "[2, 1]")), "t.toml: 'cores.counts' must be ascending");
  EXPECT_NE(error_of(with("[cores]", "[cores")).find("t.toml:"), std::string::npos);
}

TEST(TargetFile, TheShippedTargetsAreValid) {
  const std::filesystem::path folder = std::filesystem::path(WILLITRUN_SOURCE_DIR) / "targets";
  const auto names = list_folder(folder);
  ASSERT_TRUE(names) << names.error().message;
  for (const auto& name : *names) {
    const auto target = parse_target(read_file(folder / name).value(), name, no_variable);
    ASSERT_TRUE(target) << target.error().message;
    EXPECT_EQ(target->name + ".toml", name);
  }
}

}  // namespace
}  // namespace willitrun
