#include "lab/extra_packages.h"

#include <gtest/gtest.h>

namespace willitrun {
namespace {

std::vector<std::string> missing(std::string_view signature, std::string_view failure_class = "missing_dependency") {
  Row row;
  row.failure_class = std::string(failure_class);
  row.signature = std::string(signature);
  return missing_packages(row);
}

TEST(ExtraPackages, AreNamedByTheFailure) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(missing("missing_dependency:einops"), Names{"einops"});
  EXPECT_EQ(missing("missing_dependency:timm, einops"), (Names{"einops", "timm"}));
  EXPECT_EQ(missing("missing_dependency:timm.layers"), Names{"timm"});
  EXPECT_EQ(missing("missing_dependency:sklearn.metrics"), Names{"scikit-learn"});
  EXPECT_EQ(missing("missing_dependency"), Names{});
  EXPECT_EQ(missing("missing_package:einops", "missing_package"), Names{});
  EXPECT_EQ(missing_packages(Row()), Names{});
}

TEST(ExtraPackages, AreNothingThatPipCouldMistakeForAnOption) {
  EXPECT_TRUE(missing("missing_dependency:--index-url").empty());
  EXPECT_TRUE(missing("missing_dependency:git+https://example.org/x").empty());
  EXPECT_TRUE(missing("missing_dependency:../x").empty());
  EXPECT_TRUE(missing("missing_dependency:").empty());
}

TEST(ExtraPackages, AreNoPartOfTheStack) {
  const Home home{"/nowhere"};
  for (const std::string name : {"torch", "transformers", "torch-neuronx", "neuronx_cc", "nki"})
    EXPECT_EQ(install_packages(home, {}, {name}).error().code, Code::InvalidArgument) << name;
}

}  // namespace
}  // namespace willitrun
