// A plan in five steps: which class loads the model, in which dtype and unpacked how, what then lies in memory, what
// each core of each form holds, and which form is the smallest that fits.
#include "plan/planner.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "plan/loading.h"
#include "plan/model_identity.h"
#include "plan/model_layout.h"
#include "plan/quantisation.h"
#include "plan/sharding.h"
#include "plan/static_cache.h"

namespace willitrun {
namespace {

constexpr int kPromptTokens = 64;
constexpr int kImagePromptTokens = 1024;

/// Stored tensors without a place in the model, as a share of all, that make the configuration wrong rather than the
/// file generous.
constexpr double kToleratedUnread = 0.5;

Plan blank_plan(const PlanTable& table, const Target& target, const PlanRequest& request) {
  Plan plan;
  plan.model.id = request.id;
  plan.model.revision = request.revision;
  plan.target = target.name;
  plan.transformers = table.version();
  plan.tokens = {request.prompt_tokens > 0 ? request.prompt_tokens : kPromptTokens, request.new_tokens};
  plan.bytes.capacity_per_core = target.core_memory_bytes;
  plan.bytes.reserve_per_core = target.reserve_bytes_per_core;
  return plan;
}

/// The dtype that weights are loaded in: what the class's own configuration says at its top, else that of the first
/// floating tensor (transformers, modeling_utils.py, _get_dtype). A dequantised model is bfloat16 where nothing else is
/// said.
Dtype model_dtype(const Checkpoint& checkpoint, const ModelConfig& own) {
  for (const std::string_view field : {"dtype", "torch_dtype"})
    if (const auto name = own.text(field))
      if (const auto dtype = dtype_from_torch(*name)) return *dtype;
  for (const Shard& shard : checkpoint.shards)
    for (const TensorInfo& tensor : shard.header.tensors)
      if (is_floating(tensor.dtype)) return is_small_float(tensor.dtype) ? Dtype::BF16 : tensor.dtype;
  return Dtype::F32;
}

class Planner {
 public:
  Planner(const Checkpoint& checkpoint, const PlanTable& table, const Target& target, const PlanRequest& request)
      : checkpoint_(checkpoint),
        table_(table),
        target_(target),
        request_(request),
        plan_(blank_plan(table, target, request)) {}

  Plan make() {
    plan_.bytes.stored = checkpoint_.stored_bytes;
    plan_.notes = checkpoint_.notes;
    identify_model();
    const auto claim = quantisation_of(checkpoint_.config);
    const Quantisation quantisation = claim ? unpacking(*claim) : Quantisation::None;
    if (!layout_) return without_class(claim);
    load_model(quantisation);
    plan_.dtype = torch_name(dtype_);
    note_absent_layers();
    tie_weights();
    count(claim, quantisation);
    find_cache(layout_->configs.front());
    note_compiling();
    for (const int cores : target_.core_counts) consider(cores);
    choose();
    return finish();
  }

 private:
  void identify_model() {
    identity_ = identify(checkpoint_.config, table_);
    plan_.model.model_type = identity_.model_type;
    plan_.model.architectures = identity_.architectures;
    plan_.model.task = identity_.task;
    plan_.notes.insert(plan_.notes.end(), identity_.notes.begin(), identity_.notes.end());
    if (identity_.task == kImageTextToText && request_.prompt_tokens <= 0)
      plan_.tokens.prompt_tokens = kImagePromptTokens;
    if (identity_.obstacle) {
      const bool is_broken = identity_.obstacle->code == PlanCode::BadConfig;
      refuse(is_broken ? PlanStatus::Invalid : PlanStatus::CannotRun, *identity_.obstacle);
    }
    if (checkpoint_.contradiction) refuse(PlanStatus::Invalid, *checkpoint_.contradiction);
    if (!identity_.class_name.empty())
      layout_ = make_layout(table_, identity_.class_name, identity_.model_type, checkpoint_.config);
    if (!layout_ && !identity_.obstacle)
      refuse(PlanStatus::CannotRun, {PlanCode::NoPlan, fmt::format("the plan table of Transformers {} has no {}",
                                                                   table_.version(), identity_.class_name)});
    if (layout_ && !layout_->unknown_types.empty())
      refuse(PlanStatus::CannotRun,
             {PlanCode::UnknownModelType, fmt::format("model type '{}' of a part is unknown to Transformers {}",
                                                      layout_->unknown_types.front(), table_.version())});
  }

  /// Where no class loads the model there is nothing to place; what the files and the configuration say is told.
  Plan without_class(const std::optional<QuantisationClaim>& claim) {
    plan_.parameters = logical_parameters(checkpoint_, claim);
    dtype_ = model_dtype(checkpoint_, checkpoint_.config);
    const auto record = table_.type(identity_.model_type);
    find_cache(ConfigFields(checkpoint_.config, record ? record->config : ConfigRecord{}));
    plan_.bytes.kv_cache_per_core = cache_bytes(1);
    return finish();
  }

  /// The first refusal stands.
  void refuse(PlanStatus status, PlanNote reason) {
    if (plan_.reason) return;
    plan_.status = status;
    plan_.reason = std::move(reason);
  }

  Quantisation unpacking(const QuantisationClaim& claim) {
    const auto [outcome, why] = table_.quantiser(claim.method, target_.device);
    if (outcome == QuantOutcome::Dequantises) {
      plan_.notes.push_back(
          {PlanCode::QuantDequantised,
           fmt::format("{} weights are unpacked when they are loaded on {}", claim.method, target_.device)});
      return Quantisation::Dequantised;
    }
    if (outcome != QuantOutcome::Keeps)
      refuse(PlanStatus::CannotRun,
             {PlanCode::QuantUnsupported, fmt::format("{} weights cannot be loaded on {}{}", claim.method,
                                                      target_.device, why.empty() ? "" : ": " + why)});
    return Quantisation::Kept;
  }

  /// Loads with the class that config.json asks for, or with the type's other class when that one has a place for more.
  void load_model(Quantisation quantisation) {
    dtype_ = model_dtype(checkpoint_, layout_->configs.front().config());
    loaded_ = load(checkpoint_, table_, *layout_, dtype_, quantisation);
    const auto record = table_.type(identity_.model_type);
    if (!record || static_cast<double>(loaded_.unread_bytes) <= 0.01 * static_cast<double>(checkpoint_.stored_bytes))
      return;
    for (const std::string& other : {record->causal, record->image_text}) {
      if (other.empty() || other == identity_.class_name) continue;
      auto layout = make_layout(table_, other, identity_.model_type, checkpoint_.config);
      if (!layout) continue;
      const Dtype dtype = model_dtype(checkpoint_, layout->configs.front().config());
      LoadedModel loaded = load(checkpoint_, table_, *layout, dtype, quantisation);
      if (loaded.unread_bytes >= loaded_.unread_bytes) continue;
      dtype_ = dtype;
      layout_ = std::move(layout);
      loaded_ = std::move(loaded);
      identity_.class_name = other;
    }
    const std::uint64_t strange = loaded_.unread_bytes - loaded_.beyond_layers_bytes;
    if (quantisation == Quantisation::Kept || strange == 0) return;
    PlanNote note{PlanCode::ConfigDisagrees,
                  fmt::format("{} has no place for {} of the stored tensors, such as {}", identity_.class_name,
                              loaded_.unread_count, loaded_.unread_example)};
    if (static_cast<double>(strange) > kToleratedUnread * static_cast<double>(checkpoint_.stored_bytes))
      refuse(PlanStatus::Invalid, note);
    plan_.notes.push_back(std::move(note));
  }

  void note_absent_layers() {
    const std::vector<std::string>& absent = loaded_.absent_layers;
    if (absent.empty()) return;
    plan_.notes.push_back({PlanCode::ConfigDisagrees,
                           fmt::format("the files hold nothing of {} layer{} of the configuration, such as {}: the "
                                       "loader would fill {} with random numbers",
                                       absent.size(), absent.size() == 1 ? "" : "s", absent.front(),
                                       absent.size() == 1 ? "it" : "them")});
  }

  std::vector<LoadedTensors>::iterator find_loaded(const std::string& name) {
    const std::string pattern = with_wildcards(name);
    return std::find_if(loaded_.tensors.begin(), loaded_.tensors.end(),
                        [&](const LoadedTensors& t) { return t.name == pattern; });
  }

  void tie_weights() {
    for (const auto& [follower, source] : layout_->ties) {
      const auto tied = find_loaded(follower);
      const auto kept = find_loaded(source);
      if (tied == loaded_.tensors.end() || kept == loaded_.tensors.end() || tied == kept) continue;
      plan_.notes.push_back({PlanCode::TiedHeadInFile,
                             fmt::format("{} is stored although it is tied to {}: counted once", follower, source)});
      if (tied->shape != kept->shape)
        plan_.notes.push_back(
            {PlanCode::TiedMismatch, fmt::format("{} and {} are tied, but of different shape", follower, source)});
      loaded_.tensors.erase(tied);
    }
    for (const auto& [follower, source] : layout_->tie_candidates) {
      const bool is_tied = std::any_of(layout_->ties.begin(), layout_->ties.end(),
                                       [&](const auto& tie) { return tie.first == follower; });
      if (is_tied || find_loaded(follower) != loaded_.tensors.end() || find_loaded(source) == loaded_.tensors.end())
        continue;
      if (!layout_->tensors.contains(with_wildcards(follower))) continue;
      refuse(PlanStatus::Invalid,
             {PlanCode::TiedMismatch,
              fmt::format("{} is not in the files and not tied to {}: it would be random", follower, source)});
    }
  }

  void count(const std::optional<QuantisationClaim>& claim, Quantisation quantisation) {
    for (const LoadedTensors& tensors : loaded_.tensors) {
      (tensors.is_buffer ? plan_.bytes.buffers : plan_.bytes.loaded) += tensors.count * tensors.bytes();
      if (!tensors.is_buffer) plan_.parameters += tensors.count * tensors.elements();
    }
    if (claim && quantisation == Quantisation::Kept) {
      const auto [bytes, elements] = stored_buffers();
      plan_.parameters = logical_parameters(checkpoint_, claim) - elements;
      plan_.bytes.loaded = checkpoint_.stored_bytes - bytes;
    }
    for (const BufferGroup& buffer : layout_->buffers) {
      if (!has_module_of(buffer)) continue;
      const Dtype dtype = buffer.dtype.empty() ? dtype_ : dtype_from_torch(buffer.dtype).value_or(dtype_);
      plan_.bytes.buffers += buffer.count * buffer.elements * bits_of(dtype) / 8;
    }
    if (!layout_->unsized_buffers.empty())
      plan_.notes.push_back(
          {PlanCode::UnsizedBuffers,
           fmt::format("{} of the model's buffers are not counted, such as {}: how their size follows "
                       "from the configuration is not known",
                       layout_->unsized_buffers.size(), layout_->unsized_buffers.front())});
    const auto declared = checkpoint_.declared_parameters;
    if (declared && *declared != plan_.parameters && quantisation == Quantisation::None)
      plan_.notes.push_back({PlanCode::DeclaredTotalWrong, fmt::format("the index declares {} parameters, there are {}",
                                                                       *declared, plan_.parameters)});
  }

  /// Bytes and elements of the loaded tensors that are buffers.
  std::pair<std::uint64_t, std::uint64_t> stored_buffers() const {
    std::pair<std::uint64_t, std::uint64_t> sum;
    for (const LoadedTensors& tensors : loaded_.tensors) {
      if (!tensors.is_buffer) continue;
      sum.first += tensors.count * tensors.elements() * bits_of(tensors.stored_dtype) / 8;
      sum.second += tensors.count * tensors.elements();
    }
    return sum;
  }

  /// Tells whether the module that registers a buffer is there: modules that a configuration switches off (a tower, an
  /// extra embedding) have no parameters in the files either. The nearest module with parameters decides.
  bool has_module_of(const BufferGroup& buffer) const {
    for (std::size_t dot = buffer.name.rfind('.'); dot != std::string::npos;
         dot = dot == 0 ? dot : buffer.name.rfind('.', dot - 1)) {
      const std::string module = buffer.name.substr(0, dot + 1);
      const bool is_registered = std::any_of(layout_->tensors.begin(), layout_->tensors.end(),
                                             [&](const auto& entry) { return entry.first.starts_with(module); });
      if (is_registered)
        return std::any_of(loaded_.tensors.begin(), loaded_.tensors.end(),
                           [&](const LoadedTensors& tensors) { return tensors.name.starts_with(module); });
      if (dot == 0) break;
    }
    return true;
  }

  /// Finds what the static cache of the text model looks like, and says so where that is not known.
  void find_cache(const ConfigFields& whole) {
    std::string type = identity_.model_type;
    text_ = text_fields(table_, whole, type);
    auto record = table_.type(type);
    if (!record || !record->knows_cache) record = table_.type(identity_.model_type);
    if (record && record->knows_cache) {
      cache_ = record->cache;
    } else {
      const auto known = [&](const char* field) { return text_->integer(field).has_value(); };
      const Formula heads = {
          {Factor{known("num_key_value_heads") ? "num_key_value_heads" : "num_attention_heads", {}}}};
      const Formula width = {
          {known("head_dim") ? Factor{"head_dim", {}} : Factor{"hidden_size", {"/num_attention_heads"}}}};
      cache_["full_attention"] = {{"keys", "", {heads, {}, width}}, {"values", "", {heads, {}, width}}};
      plan_.notes.push_back(
          {PlanCode::StaticCache,
           fmt::format("the static cache of '{}' is not known: counted as keys and values of every layer", type)});
    }
  }

  void note_compiling() {
    if (!layout_->compiles)
      plan_.notes.push_back(
          {PlanCode::StaticCache, fmt::format("{} does not promise to compile as one graph", identity_.class_name)});
  }

  void consider(int cores) {
    if (cores == 1) return add_option(1, Mode::Single, ShardingRules{});
    bool is_any = false;
    for (const Mode mode : {Mode::Tp, Mode::TpEp, Mode::Ep})
      if (const auto rules = rules_of(mode, table_, *layout_)) {
        add_option(cores, mode, *rules);
        is_any = true;
      }
    if (is_any) return;
    PlanOption option{.cores = cores, .mode = Mode::Tp};
    option.reason = PlanNote{PlanCode::NoPlan, fmt::format("Transformers {} has no parallel plan for {}",
                                                           table_.version(), identity_.class_name)};
    plan_.options.push_back(std::move(option));
  }

  /// Bytes of the static cache on one core when its heads are cut into `parts`.
  std::uint64_t cache_bytes(int parts) const {
    const auto tokens = static_cast<std::uint64_t>(plan_.tokens.prompt_tokens + plan_.tokens.new_tokens);
    return static_cache_bytes(cache_, *text_, tokens, static_cast<std::uint64_t>(parts), dtype_);
  }

  void add_option(int cores, Mode mode, const ShardingRules& rules) {
    PlanOption option{.cores = cores, .mode = mode};
    option.per_core = bytes_per_core(loaded_, rules, table_, cores);
    option.kv_cache_per_core = cache_bytes(cores > 1 && cuts_cache_heads(rules, table_) ? cores : 1);
    if (cores > 1) option.reason = indivisible(loaded_, *layout_, rules, table_, cores);
    const std::uint64_t needed =
        option.per_core + plan_.bytes.buffers + option.kv_cache_per_core + plan_.bytes.reserve_per_core;
    const bool is_small_enough = needed <= plan_.bytes.capacity_per_core;
    if (!option.reason && !is_small_enough)
      option.reason = PlanNote{PlanCode::TooLarge, fmt::format("needs {} per core of {}", human_bytes(needed),
                                                               human_bytes(plan_.bytes.capacity_per_core))};
    option.fits = !option.reason;
    would_fit_.push_back(is_small_enough);
    plan_.options.push_back(std::move(option));
  }

  void choose() {
    const auto& options = plan_.options;
    auto chosen = std::find_if(options.begin(), options.end(), [](const PlanOption& option) { return option.fits; });
    if (chosen == options.end()) {
      refuse(PlanStatus::TooLarge, why_none());
      chosen = std::min_element(options.begin(), options.end(), [](const PlanOption& a, const PlanOption& b) {
        return std::pair(a.per_core == 0, a.per_core) < std::pair(b.per_core == 0, b.per_core);
      });
    } else if (!plan_.reason) {
      plan_.status = PlanStatus::Fits;
      plan_.mode = chosen->mode;
      plan_.cores = chosen->cores;
    }
    if (chosen == options.end()) return;
    plan_.bytes.per_core = chosen->per_core;
    plan_.bytes.kv_cache_per_core = chosen->kv_cache_per_core;
  }

  /// Why no option fits: what does not divide, when the bytes alone would have fitted; a missing plan; else the size.
  PlanNote why_none() const {
    for (std::size_t i = 0; i < would_fit_.size() && i < plan_.options.size(); ++i)
      if (would_fit_[i] && plan_.options[i].reason && plan_.options[i].reason->code != PlanCode::TooLarge)
        return *plan_.options[i].reason;
    for (const PlanOption& option : plan_.options)
      if (option.reason && option.reason->code == PlanCode::NoPlan) return *option.reason;
    return plan_.options.empty() ? PlanNote{PlanCode::TooLarge, "the target has no cores"}
                                 : plan_.options.back().reason.value_or(PlanNote{PlanCode::TooLarge, ""});
  }

  Plan finish() { return std::move(plan_); }

  const Checkpoint& checkpoint_;
  const PlanTable& table_;
  const Target& target_;
  const PlanRequest& request_;
  Plan plan_;
  ModelIdentity identity_;
  std::optional<ModelLayout> layout_;
  std::optional<ConfigFields> text_;
  std::map<std::string, std::vector<CacheTensor>> cache_;
  LoadedModel loaded_;
  Dtype dtype_ = Dtype::F32;
  std::vector<bool> would_fit_;  ///< For each option that has rules: whether its bytes alone fit.
};

}  // namespace

Plan make_plan(const Checkpoint& checkpoint, const PlanTable& table, const Target& target, const PlanRequest& request) {
  return Planner(checkpoint, table, target, request).make();
}

Plan make_failed_plan(PlanStatus status, PlanNote reason, const PlanTable& table, const Target& target,
                      const PlanRequest& request) {
  Plan plan = blank_plan(table, target, request);
  plan.status = status;
  plan.reason = std::move(reason);
  return plan;
}

}  // namespace willitrun
