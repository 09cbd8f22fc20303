#include "store/redaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "os/sha256.h"

namespace willitrun {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::Optional;

const PrivateWords kWords = {.folders = {"/data/willitrun"}, .hosts = {"buildbox7"}, .secrets = {"secret-in-use"}};

struct Example {
  const char* before;
  const char* after;
};

TEST(Redaction, TakesOutWhatIsPrivate) {
  constexpr Example kExamples[] = {
      {"token hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345 was refused", "token <secret> was refused"},
      {"Authorization: Bearer abc.def-ghi", "Authorization: Bearer <secret>"},
      {"HF_TOKEN=abc123 python3 run.py", "HF_TOKEN=<secret> python3 run.py"},
      {"{'AWS_SECRET_ACCESS_KEY=x/y+z'}", "{'AWS_SECRET_ACCESS_KEY=<secret>'}"},
      {"key AKIAIOSFODNN7EXAMPLE99", "key <secret>"},
      {"https://me:pass@proxy.example/simple", "https://<secret>@proxy.example/simple"},
      {"(secret-in-use)", "(<secret>)"},
      {"File \"/home/jane.doe/venv/lib/x.py\", line 3", "File \"~/venv/lib/x.py\", line 3"},
      {"/Users/jane/x:/root/.cache:/root", "~/x:~/.cache:~"},
      {"file:///home/jane/wheels", "file://~/wheels"},
      {"cache in /data/willitrun/models", "cache in ~/models"},
      {"connect to ip-10-0-1-23.us-west-2.compute.internal:80", "connect to <host>:80"},
      {"host ip-172-31-5-9 and 192.168.1.20", "host <host> and <host>"},
      {"root@buildbox7:~#", "root@<host>:~#"},
  };
  for (const Example& example : kExamples) EXPECT_EQ(redact(example.before, kWords), example.after);
}

TEST(Redaction, LeavesEverythingElse) {
  for (const char* text : {
           "neuronx-cc 2.28.7631.0+2b1c, torch 10.0.7631.1",
           "pad_token: <|endoftext|>, eos_token=128001, tokens_per_s = 3",
           "from_pretrained(\"hf_model\", token=None)",
           "/opt/homebrew /chroot/home/x model/home/y ./root.py /rooted",
           "mybuildbox7s and secret-in-user",
           "see https://github.com/a/b@main and user@example.com",
           "the bearer of bad news, TOKEN, a Bearer",
           "127.0.0.1 8.8.8.8 1.2.3",
       })
    EXPECT_EQ(redact(text, kWords), text);
}

TEST(Redaction, LongTextsTakeLinearTime) {
  const std::string text(1 << 20, '/');
  EXPECT_EQ(redact(text, kWords), text);
}

TEST(Publishable, LeavesOutLocalModelsAndCleansTextsAndScripts) {
  Dataset dataset;
  dataset.verdicts = {Row{.model_id = "/home/jane/model", .local_model = true}, Row{.model_id = "a/b"}};
  Row& row = dataset.verdicts[1];
  row.error = "in /home/jane/x";
  row.text = "I live in /home/jane.";
  row.run_py = "open('/home/jane/x')";
  row.script_sha256 = sha256_hex(*row.run_py);
  row.package_lock = "torch==2.13.0\nmine @ file:///home/jane/mine";
  dataset.attempts = dataset.verdicts;
  const Dataset published = publishable(dataset, kWords);
  ASSERT_THAT(published.verdicts, ElementsAre(Field(&Row::model_id, Optional(std::string("a/b")))));
  EXPECT_EQ(published.verdicts[0].error, "in ~/x");
  EXPECT_EQ(published.verdicts[0].text, "I live in /home/jane.") << "what a model says is the result itself";
  EXPECT_EQ(published.verdicts[0].run_py, "open('~/x')");
  EXPECT_EQ(published.verdicts[0].script_sha256, sha256_hex("open('~/x')"));
  EXPECT_EQ(published.verdicts[0].package_lock, "torch==2.13.0\nmine @ file://~/mine");
  EXPECT_EQ(published.attempts, published.verdicts);
}

}  // namespace
}  // namespace willitrun
