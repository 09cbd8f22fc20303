#include "hub/hub_settings.h"

#include <gtest/gtest.h>

#include <map>

#include "os/file.h"
#include "testing/temp_folder.h"

namespace willitrun {
namespace {

Result<HubSettings> settings_of(const std::map<std::string, std::string>& variables) {
  return read_hub_settings([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  });
}

TEST(HubSettings, HaveTheDefaultsOfHuggingfaceHub) {
  const HubSettings settings = settings_of({{"HOME", "/home/ann"}}).value();
  EXPECT_EQ(settings.endpoint, "https://huggingface.co");
  EXPECT_EQ(settings.token, "");
  EXPECT_EQ(settings.cache, "/home/ann/.cache/huggingface/hub");
  EXPECT_FALSE(settings.offline);
  EXPECT_EQ(settings.api_timeout_s, 10);
  EXPECT_EQ(settings.download_timeout_s, 10);
}

TEST(HubSettings, FollowTheEnvironment) {
  const HubSettings settings = settings_of({{"HOME", "/home/ann"},
                                            {"HF_ENDPOINT", "http://127.0.0.1:8000/"},
                                            {"HF_TOKEN", " hf_secret\n"},
                                            {"HF_HUB_CACHE", "~/models"},
                                            {"HF_HUB_OFFLINE", "True"},
                                            {"HF_HUB_ETAG_TIMEOUT", "3"},
                                            {"HF_HUB_DOWNLOAD_TIMEOUT", "0"}})
                                   .value();
  EXPECT_EQ(settings.endpoint, "http://127.0.0.1:8000");
  EXPECT_EQ(settings.token, "hf_secret");
  EXPECT_EQ(settings.cache, "/home/ann/models");
  EXPECT_TRUE(settings.offline);
  EXPECT_EQ(settings.api_timeout_s, 3);
  EXPECT_EQ(settings.download_timeout_s, 10) << "0 means the default, as in huggingface_hub";
}

TEST(HubSettings, ReadTheTokenFileOfHfHome) {
  const TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder.path() / "token", "hf_from_file\n"));
  EXPECT_EQ(settings_of({{"HF_HOME", folder.path().string()}}).value().token, "hf_from_file");
  EXPECT_EQ(settings_of({{"HF_HOME", folder.path().string()}, {"HF_TOKEN", "hf_env"}}).value().token, "hf_env");
  EXPECT_EQ(settings_of({{"HF_HOME", folder.path().string()}, {"HF_HUB_DISABLE_IMPLICIT_TOKEN", "1"}}).value().token,
            "");
}

TEST(HubSettings, RefuseWhatCannotBeMeant) {
  for (const auto& [name, value] : std::map<std::string, std::string>{
           {"HF_ENDPOINT", "ftp://example.org"}, {"HF_TOKEN", "a\r\nX-Evil: 1"}, {"HF_HUB_ETAG_TIMEOUT", "soon"}}) {
    const auto settings = settings_of({{name, value}});
    ASSERT_FALSE(settings) << name;
    EXPECT_EQ(settings.error().code, Code::InvalidArgument);
    EXPECT_NE(settings.error().message.find(name), std::string::npos) << settings.error().message;
  }
}

}  // namespace
}  // namespace willitrun
