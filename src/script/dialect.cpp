// How to shard with each version of Transformers, found by trying (tests/script runs every form that stands here):
//
//   5.10.2  tp_plan="auto" shards by the class's tensor-parallel plan. With enable_expert_parallel its expert-parallel
//           plan is used *instead*, so there is no mode with both. A class that lacks the plan is silently not sharded
//           at all: the script counts parameters.
//   5.24.0  DistributedConfig. Expert parallelism alone, as documented (`ep_size=n, tp_plan={}`), is refused with "has
//   no
//           tp_plan", and so is ep_size=n by itself; with fsdp_size=n the model runs but cannot be compiled whole. A
//           tensor-parallel plan that shards nothing is accepted: a rule that only marks the last norm as replicated.
#include "script/dialect.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"

namespace willitrun {
namespace {

constexpr auto kDialects = std::to_array<Dialect>({
    {.transformers = "5.10.2",
     .cache_field = "past_key_values",
     .keeps_cache = true,
     .late_hooks = true,
     .is_sharded_as_dtensor = false,
     .tp = R"(where = {"tp_plan": "auto"})",
     .ep = R"(where = {"tp_plan": "auto", "distributed_config": DistributedConfig(enable_expert_parallel=True)})",
     .tp_ep = ""},
    {.transformers = "5.24.0",
     .cache_field = "cache",
     .keeps_cache = false,
     .late_hooks = false,
     .is_sharded_as_dtensor = true,
     .tp = R"(where = {"distributed_config": DistributedConfig(tp_size=CORES)})",
     .ep =
         R"(nothing = {"model.norm": "replicated_with_grad_allreduce"}  # a tp_plan is asked for, and must not be empty
        where = {"distributed_config": DistributedConfig(tp_size=CORES, ep_size=CORES, tp_plan=nothing)})",
     .tp_ep = R"(where = {"distributed_config": DistributedConfig(tp_size=CORES, ep_size=CORES)})"},
});

}  // namespace

std::optional<Dialect> find_dialect(std::string_view transformers) {
  const auto* found = std::ranges::find(kDialects, transformers, &Dialect::transformers);
  return found == kDialects.end() ? std::nullopt : std::optional(*found);
}

std::string_view sharding_statements(const Dialect& dialect, Mode mode) {
  switch (mode) {
    case Mode::Single: return {};
    case Mode::Tp: return dialect.tp;
    case Mode::Ep: return dialect.ep;
    case Mode::TpEp: return dialect.tp_ep;
  }
  return {};
}

std::string known_versions() {
  std::vector<std::string> versions;
  for (const auto& dialect : kDialects) versions.emplace_back(dialect.transformers);
  return join(versions, ", ");
}

}  // namespace willitrun
