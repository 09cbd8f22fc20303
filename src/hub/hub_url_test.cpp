#include "hub/hub_url.h"

#include <gtest/gtest.h>

namespace willitrun {
namespace {

constexpr std::string_view kEndpoint = "https://huggingface.co";

TEST(HubUrl, NamesModelsAndDatasetsAsTheHubDoes) {
  const RepoRef model = {RepoKind::Model, "Qwen/Qwen3-0.6B", ""};
  const RepoRef dataset = {RepoKind::Dataset, "aws/table", "refs/pr/1"};
  EXPECT_EQ(info_url(kEndpoint, model), "https://huggingface.co/api/models/Qwen/Qwen3-0.6B");
  EXPECT_EQ(info_url(kEndpoint, dataset), "https://huggingface.co/api/datasets/aws/table/revision/refs%2Fpr%2F1");
  EXPECT_EQ(tree_url(kEndpoint, model), "https://huggingface.co/api/models/Qwen/Qwen3-0.6B/tree/main?recursive=true");
  EXPECT_EQ(file_url(kEndpoint, model, "config.json"),
            "https://huggingface.co/Qwen/Qwen3-0.6B/resolve/main/config.json");
  EXPECT_EQ(file_url(kEndpoint, dataset, "a b/100%.txt"),
            "https://huggingface.co/datasets/aws/table/resolve/refs%2Fpr%2F1/a%20b/100%25.txt");
}

TEST(HubUrl, EncodesWhatCouldChangeTheQuestion) {
  const RepoRef repo = {RepoKind::Model, "a/b", "x?y#z"};
  EXPECT_EQ(file_url(kEndpoint, repo, "f?g#h&i=\n"),
            "https://huggingface.co/a/b/resolve/x%3Fy%23z/f%3Fg%23h%26i%3D%0A");
  EXPECT_TRUE(list_url(kEndpoint, {.task = "a&b", .limit = 7})
                  .starts_with("https://huggingface.co/api/models?pipeline_tag=a%26b&sort=downloads&limit=7&"));
}

TEST(NextPage, IsReadFromTheLinkHeader) {
  const std::string_view url = "https://huggingface.co/api/models?limit=2";
  EXPECT_EQ(next_page_of("<https://huggingface.co/api/models?limit=2&cursor=x>; rel=\"next\"", url),
            "https://huggingface.co/api/models?limit=2&cursor=x");
  EXPECT_EQ(next_page_of("</a?b>; rel=\"prev\", </c?d>; rel=\"next\"", url), "https://huggingface.co/c?d");
  EXPECT_EQ(next_page_of("", url), "");
  EXPECT_EQ(next_page_of("</a>; rel=\"prev\"", url), "");
  EXPECT_EQ(next_page_of("<>; rel=\"next\"", url), "") << "the same page again would never end";
  EXPECT_EQ(next_page_of("<http://[>; rel=\"next\"", url), "");
  EXPECT_EQ(next_page_of(">x<; rel=\"next\"", url), "");
}

TEST(IsBelow, ComparesWholeHosts) {
  EXPECT_TRUE(is_below("https://huggingface.co/api", kEndpoint));
  EXPECT_FALSE(is_below("https://huggingface.com/api", kEndpoint));
  EXPECT_FALSE(is_below("https://huggingface.co.evil.org/api", kEndpoint));
  EXPECT_FALSE(is_below("https://huggingface.co:8080/api", kEndpoint));
  EXPECT_FALSE(is_below("https://huggingface.co@evil.org/api", kEndpoint));
  EXPECT_FALSE(is_below("http://huggingface.co/api", kEndpoint));
}

}  // namespace
}  // namespace willitrun
