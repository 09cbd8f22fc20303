#include "verify/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "verify/json_fields.h"

namespace willitrun {
namespace {

namespace json = boost::json;

constexpr int kSchema = 1;

template <class E>
E read_enum(JsonFields& fields, std::string_view name) {
  const auto value = from_text<E>(fields.text(name));
  if (!value) fields.note(name, "holds an unknown word");
  return value.value_or(E{});
}

std::optional<Mark> read_optional_mark(JsonFields& fields, std::string_view name) {
  if (fields.value(name).is_null()) return std::nullopt;
  return read_enum<Mark>(fields, name);
}

ReportStart read_start(JsonFields& fields) {
  ReportStart start;
  start.schema = fields.count("schema");
  start.model = fields.text("model");
  start.revision = fields.optional_text("revision");
  start.task = fields.text("task");
  start.mode = read_enum<Mode>(fields, "mode");
  start.cores = fields.count("cores");
  start.device = fields.text("device");
  start.backend = fields.optional_text("backend");
  start.reference = fields.boolean("reference");
  start.transformers = fields.text("transformers");
  start.new_tokens = fields.count("new_tokens");
  start.env = fields.text_map("env");
  return start;
}

ReportError read_error(JsonFields& fields) {
  ReportError error;
  error.stage = read_optional_mark(fields, "stage");
  error.rank = fields.optional_count("rank");
  error.type = fields.text("type");
  error.message = fields.text("message");
  error.traceback = fields.text("traceback");
  if (error.type != "RankDied") return error;
  if (const auto code = fields.optional_integer("exit_code")) error.exit_code = static_cast<int>(*code);
  error.signal = fields.optional_text("signal");
  return error;
}

/// Joins the two parallel lists; a step that is not finite has no logits, and so no two best.
std::vector<std::optional<TopTwo>> read_top_two(JsonFields& fields) {
  std::vector<std::optional<TopTwo>> steps;
  const json::value& tokens = fields.value("top2_tokens");
  const json::value& logits = fields.value("top2_logits");
  if (!tokens.is_array() || !logits.is_array() || tokens.get_array().size() != logits.get_array().size())
    return fields.note("top2_tokens", "is not a list as long as 'top2_logits'"), steps;
  for (std::size_t i = 0; i < tokens.get_array().size(); ++i) {
    const json::value& pair = tokens.get_array()[i];
    const json::value& values = logits.get_array()[i];
    if (values.is_null()) {
      steps.emplace_back();
      continue;
    }
    const auto is_pair = [](const json::value& v) { return v.is_array() && v.get_array().size() == 2; };
    boost::system::error_code failed;
    TopTwo step;
    const auto read = [&]<class T>(const json::value& list, std::size_t place, T& into) {
      if (!failed) into = list.get_array()[place].to_number<T>(failed);
    };
    if (is_pair(pair) && is_pair(values)) {
      read(pair, 0, step.best);
      read(pair, 1, step.second);
      read(values, 0, step.best_logit);
      read(values, 1, step.second_logit);
    } else {
      failed = json::error::not_array;
    }
    if (failed) return fields.note("top2_tokens", "holds a step that is not two tokens with two logits"), steps;
    steps.emplace_back(step);
  }
  return steps;
}

std::optional<std::vector<bool>> read_teacher(JsonFields& fields) {
  const json::value& teacher = fields.value("teacher");
  if (teacher.is_null()) return std::nullopt;
  std::vector<bool> agrees;
  const json::value* list = teacher.is_object() ? teacher.get_object().if_contains("agree") : nullptr;
  if (list == nullptr || !list->is_array()) return fields.note("teacher", "has no list 'agree'"), std::nullopt;
  for (const json::value& item : list->get_array()) {
    if (!item.is_bool()) return fields.note("teacher", "has an 'agree' that is not true or false"), std::nullopt;
    agrees.push_back(item.get_bool());
  }
  return agrees;
}

std::optional<std::string> read_logits_file(JsonFields& fields) {
  const json::value& logits = fields.value("logits");
  if (logits.is_null()) return std::nullopt;
  const json::value* file = logits.is_object() ? logits.get_object().if_contains("file") : nullptr;
  if (file == nullptr || !file->is_string()) return fields.note("logits", "names no file"), std::nullopt;
  return std::string(file->get_string());
}

void read_figures(JsonFields& fields, ReportResult& result) {
  result.load_s = fields.optional_number("load_s");
  result.cold_s = fields.optional_number("cold_s");
  result.warm_s = fields.optional_number("warm_s");
  result.compile_s = fields.optional_number("compile_s");
  result.first_token_s = fields.optional_number("first_token_s");
  result.tokens_per_s = fields.optional_number("tokens_per_s");
  result.graphs = fields.optional_count("graphs");
  result.graphs_after_first = fields.optional_count("graphs_after_first");
  result.cache_class = fields.text("cache_class");
  result.compile_cache_hits = fields.optional_count("compile_cache_hits");
  result.compile_cache_misses = fields.optional_count("compile_cache_misses");
  result.fallback_ops = fields.optional_texts("fallback_ops");
  result.parameter_bytes_per_core = fields.optional_integer("parameter_bytes_per_core");
  result.buffer_bytes_per_core = fields.optional_integer("buffer_bytes_per_core");
  result.peak_bytes_per_core = fields.optional_integer("peak_bytes_per_core");
  result.memory_meter = fields.text("memory_meter");
  result.capacity_bytes_per_core = fields.optional_integer("capacity_bytes_per_core");
  result.versions = fields.text_map("versions");
}

ReportResult read_result(JsonFields& fields) {
  ReportResult result;
  result.prompt = fields.text("prompt");
  result.prompt_tokens = fields.count("prompt_tokens");
  result.tokens = fields.tokens("tokens");
  result.tokenizer_size = fields.count("tokenizer_size");
  result.eos_at = fields.optional_count("eos_at");
  result.text = fields.text("text");
  result.top_two = read_top_two(fields);
  result.finite = fields.boolean("finite");
  result.repeatable = fields.boolean("repeatable");
  read_figures(fields, result);
  result.teacher_agrees = read_teacher(fields);
  result.logits_file = read_logits_file(fields);
  if (result.top_two.size() != result.tokens.size()) fields.note("top2_tokens", "is not as long as 'tokens'");
  return result;
}

/// Reads one event into the report.
Status read_event(const json::object& event, RunReport& report) {
  if (report.done) return fail(Code::Corruption, "an event after 'done'");
  JsonFields fields(event);
  const std::string kind = fields.text("event");
  RETURN_IF_ERROR(fields.status());
  if (kind == "start") {
    if (report.start) return fail(Code::Corruption, "a second 'start'");
    if (const int schema = fields.count("schema"); schema > kSchema)
      return fail(Code::InvalidArgument, fmt::format("schema {} is newer than {}, the newest known", schema, kSchema));
    report.start = read_start(fields);
  } else if (kind == "stage") {
    const ReportStage stage{read_enum<Mark>(fields, "stage"), fields.optional_count("rank")};
    report.stages.push_back(stage);
    report.done |= stage.stage == Mark::Done;
  } else if (kind == "error") {
    report.errors.push_back(read_error(fields));
  } else if (kind == "result") {
    if (report.result) return fail(Code::Corruption, "a second 'result'");
    if (!report.start) return fail(Code::Corruption, "a 'result' before the 'start'");
    report.result = read_result(fields);
    if (std::ssize(report.result->tokens) != report.start->new_tokens) fields.note("tokens", "is not as long as asked");
  }
  return fields.status();
}

Status read_line(std::string_view line, RunReport& report) {
  boost::system::error_code error;
  const json::value value = json::parse(line, error);
  if (error) return fail(Code::Corruption, "not JSON: " + error.message());
  if (!value.is_object()) return fail(Code::Corruption, "not a JSON object");
  return read_event(value.get_object(), report);
}

}  // namespace

std::optional<Mark> RunReport::reached() const {
  std::map<std::optional<int>, Mark> last;
  for (const ReportStage& mark : stages) last[mark.rank] = mark.stage;
  if (!errors.empty()) {
    // A rank that died without a word has no stage in its error, but its marks.
    const ReportError& first = errors.front();
    if (first.stage) return first.stage;
    if (const auto of_rank = last.find(first.rank); of_rank != last.end()) return of_rank->second;
  }
  if (done) return Mark::Done;
  if (last.empty()) return std::nullopt;
  return std::ranges::min_element(last, {}, [](const auto& entry) { return entry.second; })->second;
}

Result<RunReport> parse_report(std::string_view json_lines) {
  RunReport report;
  for (int number = 1; !json_lines.empty(); ++number) {
    const std::size_t end = json_lines.find('\n');
    if (end == std::string_view::npos) {
      report.torn = true;
      break;
    }
    if (auto status = read_line(json_lines.substr(0, end), report); !status)
      return fail(with_context(status.error(), fmt::format("line {} of the report", number)));
    json_lines.remove_prefix(end + 1);
  }
  return report;
}

}  // namespace willitrun
