#include "lab/campaign.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <deque>

#include "lab/reference_cache.h"
#include "lab/sample_report.h"
#include "os/file.h"
#include "testing/temp_folder.h"

namespace willitrun {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

/// A Hub that answers every question with the same error.
class BrokenHub : public Hub {
 public:
  Code code = Code::Unavailable;

  Result<ModelInfo> model_info(const ModelRef&) override { return error(); }
  Result<std::string> resolve(const RepoRef&) override { return error(); }
  Result<std::vector<HubFile>> list_files(const RepoRef&) override { return error(); }
  Result<std::vector<ModelInfo>> list_models(const ModelQuery&) override { return error(); }
  Result<std::string> read(const RepoRef&, std::string_view, std::uint64_t) override { return error(); }
  std::vector<Result<std::string>> read_ranges(const RepoRef&, std::span<const FileRange> ranges) override {
    return std::vector<Result<std::string>>(ranges.size(), error());
  }
  Status download(const RepoRef&, std::span<const Download>, const DownloadProgress&) override { return error(); }

 private:
  std::unexpected<Error> error() const { return fail(code, "the hub is broken"); }
};

/// How a run of the fake executor goes.
struct FakeRun {
  SampleReport report;
  std::optional<int> signal;
  std::optional<Error> trouble;
  int num_memory_kills = 0;
};

/// Plays runs: references always go well, the device's come from a list; without any left they go well too.
class FakeExecutor : public Executor {
 public:
  std::deque<FakeRun> device_runs;
  int num_references = 0, num_device_runs = 0;
  std::function<void()> during_device_run = [] {};
  std::optional<fs::path> graph_folder;  ///< Of the newest run.

  Result<ScriptOutcome> run(const ScriptJob& job, const RunCheck& check) override {
    const bool is_reference = job.arguments.back() == "--reference";
    ++(is_reference ? num_references : num_device_runs);
    graph_folder = job.graph_folder;
    FakeRun run{.report = {.reference = is_reference}};
    if (!is_reference && !device_runs.empty()) {
      run = device_runs.front();
      device_runs.pop_front();
    }
    if (run.trouble) return fail(*run.trouble);
    EXPECT_TRUE(write_file_atomically(job.folder / kReportFile, sample_report(run.report)));
    EXPECT_TRUE(write_file_atomically(job.folder / kLogitsFile, sample_logits(run.report)));
    if (!is_reference) during_device_run();
    ScriptOutcome outcome{.stopped = check(), .num_memory_kills = run.num_memory_kills, .wall_s = 5};
    if (run.signal || outcome.stopped)
      outcome.end.signal = run.signal.value_or(SIGKILL);
    else
      outcome.end.status = 0;
    return outcome;
  }

  bool is_sandboxed() const override { return true; }
  std::string guards() const override { return "memory: none"; }
};

class FakeJudge : public FluencyJudge {
 public:
  Result<FluencyFigures> measure(std::string_view) override {
    return FluencyFigures{.tokens = 30, .mean_nll = 2.5, .language = "en", .language_probability = 1.0};
  }
};

class SilentProgress : public Progress {
 public:
  void on_mark(std::string_view, Mark) override {}
  void on_download(std::uint64_t) override {}
  void on_message(std::string_view) override {}
  void on_wait() override {}
};

/// One tensor after the other, zeros: sizes as the Llama below needs them.
std::string safetensors_of_a_tiny_llama() {
  std::string header = "{";
  std::uint64_t offset = 0;
  const auto tensor = [&](const std::string& name, std::vector<int> shape) {
    std::uint64_t bytes = 2;
    for (const int size : shape) bytes *= static_cast<std::uint64_t>(size);
    header += fmt::format(R"({}"{}":{{"dtype":"BF16","shape":[{}],"data_offsets":[{},{}]}})", offset == 0 ? "" : ",",
                          name, fmt::join(shape, ","), offset, offset + bytes);
    offset += bytes;
  };
  tensor("model.embed_tokens.weight", {32, 16});
  tensor("lm_head.weight", {32, 16});
  tensor("model.norm.weight", {16});
  const std::string layer = "model.layers.0.";
  for (const char* norm : {"input_layernorm", "post_attention_layernorm"}) tensor(layer + norm + ".weight", {16});
  for (const char* name : {"q_proj", "k_proj", "v_proj", "o_proj"})
    tensor(layer + "self_attn." + name + ".weight", {16, 16});
  for (const char* name : {"gate_proj", "up_proj"}) tensor(layer + "mlp." + name + ".weight", {32, 16});
  tensor(layer + "mlp.down_proj.weight", {16, 32});
  header += "}";
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>((header.size() >> (8 * i)) & 0xFF);
  return bytes + header + std::string(offset, '\0');
}

constexpr const char* kTinyLlama = R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "vocab_size": 32,
  "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2,
  "num_key_value_heads": 2, "head_dim": 8, "dtype": "bfloat16", "tie_word_embeddings": false,
  "max_position_embeddings": 512})";

class CampaignTest : public testing::Test {
 protected:
  CampaignTest() {
    add_model("good", kTinyLlama);
    bench_.limits.memory_bytes = std::uint64_t{1} << 30;
  }

  void add_model(const std::string& name, const std::string& config) {
    EXPECT_TRUE(write_file_atomically(folder_.path() / name / "config.json", config));
    EXPECT_TRUE(write_file_atomically(folder_.path() / name / "tokenizer.json", "{}"));
    EXPECT_TRUE(write_file_atomically(folder_.path() / name / "model.safetensors", safetensors_of_a_tiny_llama()));
  }

  CampaignModel folder_model(const std::string& name) {
    return {.request = {.model = {ModelRef::Kind::Folder, fs::canonical(folder_.path() / name), ""}}};
  }

  Status run(const std::vector<CampaignModel>& models, const CampaignOptions& options = {}) {
    rows_.clear();
    return run_campaign(lab_, bench_, models, options, [&](const CampaignRow& row) { rows_.push_back(row); });
  }

  /// Runs one model and returns its verdict row.
  Row verdict_of(const CampaignModel& model, const CampaignOptions& options = {}) {
    EXPECT_TRUE(run({model}, options));
    EXPECT_EQ(rows_.size(), 1U);
    return rows_.empty() ? Row() : rows_.front().verdict;
  }

  /// Read once: it is large.
  static const PlanTable& plan_table() {
    static const auto table = [] {
      const auto text = read_file(fs::path(WILLITRUN_SOURCE_DIR) / "plans/transformers-5.24.0.json");
      return PlanTable::parse(text.value());
    }();
    return table.value();
  }

  TempFolder folder_;
  Home home_{folder_.path() / "home"};
  std::atomic<bool> stop_ = false;
  BrokenHub hub_;
  Mirror mirror_{home_.models(), {}, stop_};
  Journal journal_ = Journal::open(home_.journal()).value();
  FakeExecutor executor_;
  FakeJudge judge_;
  SilentProgress progress_;
  Lab lab_{home_, hub_, mirror_, journal_, executor_, judge_, progress_, stop_};
  Bench bench_{.target = {.name = "cpu",
                          .device = "cpu",
                          .compile_backend = "aot_eager",
                          .core_counts = {1},
                          .core_memory_bytes = 1 << 29},
               .interpreter = {.python = "/usr/bin/python3",
                               .stack = {.library_version = "5.24.0", .transformers = "5.24.0", .python = "3.11.2"},
                               .package_lock = "torch==2.13.0\n"},
               .plan_table = plan_table()};
  std::vector<CampaignRow> rows_;
};

TEST_F(CampaignTest, PassesAModelThroughEveryMark) {
  const Row row = verdict_of(folder_model("good"));
  EXPECT_EQ(row.verdict, "PASS") << row.error.value_or("");
  EXPECT_EQ(row.evidence, "tokens");
  EXPECT_TRUE(row.limits.value_or("").contains("512 processes")) << row.limits.value_or("");
  EXPECT_TRUE(row.limits.value_or("").ends_with("memory: none")) << row.limits.value_or("");
  EXPECT_EQ(row.reached, "done");
  EXPECT_EQ(row.wall_s, 5);
  EXPECT_EQ(row.tokens, row.reference_tokens);
  EXPECT_TRUE(row.local_model.value_or(false));
  EXPECT_THAT(row.run_py.value_or(""), HasSubstr("def run("));
  std::vector<Mark> marks;
  const auto recorded = journal_.marks_of(*row.attempt_id);
  for (const RecordedMark& mark : recorded.value()) marks.push_back(mark.mark);
  using enum Mark;
  EXPECT_THAT(marks,
              ElementsAre(Resolve, Download, Config, Reference, Place, Load, Shard, Compile, Generate, Compare, Done));
}

TEST_F(CampaignTest, FailsOtherTokens) {
  executor_.device_runs = {{.report = {.first_token = 5}}};
  const Row row = verdict_of(folder_model("good"));
  EXPECT_EQ(row.verdict, "FAIL");
  EXPECT_EQ(row.stage, "verify");
  EXPECT_EQ(row.first_mismatch, 0);
}

TEST_F(CampaignTest, SaysWhereACrashHappened) {
  executor_.device_runs = {{.report = {.last_stage = "compile"}, .signal = SIGSEGV}};
  const Row row = verdict_of(folder_model("good"));
  EXPECT_EQ(row.verdict, "FAIL");
  EXPECT_EQ(row.failure_class, "crash");
  EXPECT_EQ(row.reached, "compile");
  EXPECT_EQ(row.exit_signal, SIGSEGV);
}

TEST_F(CampaignTest, ChargesItsOwnMemoryLimitToTheModel) {
  executor_.device_runs = {{.report = {.last_stage = "load"}, .signal = SIGKILL, .num_memory_kills = 1}};
  const Row row = verdict_of(folder_model("good"));
  EXPECT_EQ(row.verdict, "FAIL");
  EXPECT_EQ(row.failure_class, "killed_for_memory");
}

TEST_F(CampaignTest, NeverChargesTroubleOfOursToTheModel) {
  const FakeRun broken{.trouble = Error{Code::ResourceExhausted, "the disk is full"}};
  executor_.device_runs = {broken, broken, broken};
  const Row row = verdict_of(folder_model("good"));
  EXPECT_EQ(row.verdict, "INDETERMINATE");
  EXPECT_EQ(row.charged_to, "infra");
  EXPECT_EQ(executor_.num_device_runs, 3);
  EXPECT_EQ(executor_.num_references, 1) << "the reference is made once";
}

TEST_F(CampaignTest, TriesAgainAfterTroubleUntilSomethingIsLearnt) {
  executor_.device_runs = {{.report = {.last_stage = "load"}, .signal = SIGKILL}};  // Killed by nobody we know.
  const Row row = verdict_of(folder_model("good"));
  EXPECT_EQ(row.verdict, "PASS");
  EXPECT_EQ(row.attempts, 2);
  EXPECT_EQ(journal_.attempt_rows().value().size(), 2U);
}

TEST_F(CampaignTest, GoesOnAfterAFailure) {
  add_model("broken", "{\"model_type\": ");
  ASSERT_TRUE(run({folder_model("broken"), folder_model("good")}));
  ASSERT_EQ(rows_.size(), 2U);
  EXPECT_EQ(rows_[0].verdict.verdict, "FAIL");
  EXPECT_EQ(rows_[0].verdict.failure_class, "bad_config");
  EXPECT_EQ(rows_[1].verdict.verdict, "PASS");
}

TEST_F(CampaignTest, LearnsNothingFromAModelThatCannotBeHad) {
  for (const auto& [code, failure_class, tries] : {std::tuple{Code::PermissionDenied, "gated_repo", 1},
                                                   {Code::NotFound, "repo_not_found", 1},
                                                   {Code::Timeout, "network", 3}}) {
    hub_.code = code;
    const std::size_t before = journal_.attempt_rows().value().size();
    const Row row = verdict_of({.request = {.model = {ModelRef::Kind::Hub, "owner/name", ""}}});
    EXPECT_EQ(row.verdict, "INDETERMINATE");
    EXPECT_EQ(row.failure_class, failure_class);
    EXPECT_EQ(journal_.attempt_rows().value().size() - before, static_cast<std::size_t>(tries)) << failure_class;
  }
}

TEST_F(CampaignTest, DoesNotRunAgainWhatHasNotChanged) {
  verdict_of(folder_model("good"));
  const Row again = verdict_of(folder_model("good"));
  EXPECT_TRUE(rows_[0].is_unchanged);
  EXPECT_EQ(again.verdict, "PASS");
  EXPECT_EQ(executor_.num_device_runs, 1);
  verdict_of(folder_model("good"), {.force = true});
  EXPECT_EQ(executor_.num_device_runs, 2);
  bench_.limit_s = 1;
  verdict_of(folder_model("good"));
  EXPECT_EQ(executor_.num_device_runs, 3) << "another limit is another test";
}

TEST_F(CampaignTest, CallsAPassBesideAFailFlaky) {
  executor_.device_runs = {{.report = {.first_token = 5}}, {}};
  verdict_of(folder_model("good"));
  const Row row = verdict_of(folder_model("good"), {.force = true});
  EXPECT_EQ(row.verdict, "FLAKY");
  EXPECT_EQ(row.attempts, 2);
}

TEST_F(CampaignTest, AsksTheJudgeWhereTheHostCannotHoldAReference) {
  bench_.limits.memory_bytes = 1000;
  const Row row = verdict_of(folder_model("good"));
  EXPECT_EQ(row.verdict, "PASS");
  EXPECT_EQ(row.evidence, "fluent");
  EXPECT_EQ(executor_.num_references, 0);
}

TEST_F(CampaignTest, RecordsExclusionsWithoutTesting) {
  CampaignModel model = folder_model("good");
  model.exclusion = Exclusion{.model = "*", .reason = "too old"};
  const Row row = verdict_of(model);
  EXPECT_EQ(row.verdict, "EXCLUDED");
  EXPECT_EQ(row.exclusion, "too old");
  EXPECT_EQ(executor_.num_device_runs, 0);
}

TEST_F(CampaignTest, StopsWithoutAHalfRow) {
  executor_.during_device_run = [this] { stop_ = true; };
  EXPECT_EQ(run({folder_model("good"), folder_model("good")}).error().code, Code::Cancelled);
  EXPECT_TRUE(rows_.empty());
  EXPECT_TRUE(journal_.running_attempts().value().empty());
  stop_ = false;
  executor_.during_device_run = [] {};
  EXPECT_EQ(verdict_of(folder_model("good")).verdict, "PASS") << "started again, it goes on";
}

TEST_F(CampaignTest, KeepsCompiledGraphsOfACompilerForItsNextRun) {
  verdict_of(folder_model("good"));
  EXPECT_EQ(executor_.graph_folder, std::nullopt) << "the cpu target has no neuronx-cc";
  bench_.interpreter.stack.neuronx_cc = "2.28.7631.0+abcdef12";
  verdict_of(folder_model("good"));
  EXPECT_EQ(executor_.graph_folder, home_.graphs() / "neuronxcc-2.28.7631.0+abcdef12");
}

TEST_F(CampaignTest, LetsCodeOfTheModelsOwnReachNoCompiledGraph) {
  bench_.interpreter.stack.neuronx_cc = "2.28.7631.0+abcdef12";
  CampaignModel model = folder_model("good");
  model.request.remote_code = true;
  EXPECT_EQ(verdict_of(model).verdict, "PASS");
  EXPECT_EQ(executor_.graph_folder, std::nullopt);
  EXPECT_FALSE(fs::exists(home_.graphs()));
}

TEST_F(CampaignTest, RefusesWhatIsTooLarge) {
  bench_.target.core_memory_bytes = 1000;
  const Row row = verdict_of(folder_model("good"));
  EXPECT_EQ(row.verdict, "TOO_LARGE");
  EXPECT_EQ(executor_.num_device_runs, 0);
}

}  // namespace
}  // namespace willitrun
