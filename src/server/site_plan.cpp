#include "server/site_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "domain/model_ref.h"
#include "lookup/address_key.h"
#include "lookup/outcomes.h"
#include "server/address.h"
#include "server/stack_results.h"

namespace willitrun {
namespace {

constexpr std::size_t kComparedStacks = 8;

/// How a stack is asked for: exactly, as far as the API can.
std::string stack_query(const std::string& target, const Stack& stack) {
  const std::string& library = stack.transformers.empty() ? stack.library_version : stack.transformers;
  std::string query = "?target=" + encode_segment(target);
  if (!stack.neuronx_cc.empty()) query += "&neuronx_cc=" + encode_segment(stack.neuronx_cc);
  if (!stack.transformers.empty()) query += "&transformers=" + encode_segment(library);
  return query;
}

std::string model_path(std::string_view id) { return id.contains('/') ? std::string(id) : "-/" + std::string(id); }

bool has_results(const LookupSnapshot& snapshot, ModelNumber model) {
  for (std::uint32_t target = 0; target < snapshot.targets().size(); ++target)
    if (snapshot.cells_of(target, model).size() > 0) return true;
  return false;
}

void plan_stacks(const LookupSnapshot& snapshot, std::vector<PlannedFile>& files, std::set<std::string>& signatures) {
  for (const StackResults& results : stacks_with_results(snapshot)) {
    const Stack& stack = snapshot.stacks()[results.stack];
    const std::string place = results.target + "/" + address_key(stack), query = stack_query(results.target, stack);
    for (const std::string_view kind : {"results", "failures", "coverage"})
      files.push_back({fmt::format("api/v1/{}/{}.json", kind, place), fmt::format("/api/v1/{}{}", kind, query)});
    const auto shown = results_on(snapshot, *snapshot.find_target(results.target), results.stack);
    for (const FailureCluster& cluster : failure_clusters(snapshot, shown)) {
      const std::string key = address_key(cluster.signature);
      files.push_back(
          {fmt::format("api/v1/failures/{}/{}.json", place, key), fmt::format("/api/v1/failures/{}{}", key, query)});
      signatures.insert(key);
    }
  }
}

void plan_models(const LookupSnapshot& snapshot, std::vector<PlannedFile>& files) {
  std::set<std::string> owners;
  for (ModelNumber model = 0; model < snapshot.num_models(); ++model) {
    const std::string id(snapshot.model_id(model));
    if (!is_hub_id(id)) continue;
    const std::string path = model_path(id), api = "/api/v1/models/" + path;
    files.push_back({api.substr(1) + ".json", api});
    files.push_back({"model/" + path + "/index.html", "/model/" + path + "/"});
    files.push_back({"badge/" + path + ".svg", "/badge/" + path + ".svg"});
    if (!has_results(snapshot, model)) continue;
    files.push_back({api.substr(1) + "/run.py", api + "/run.py", true});
    files.push_back({"feed/model/" + path + ".atom", "/feed/model/" + path + ".atom"});
    owners.insert(path.substr(0, path.find('/')));
  }
  for (const std::string& owner : owners)
    files.push_back({"feed/org/" + owner + ".atom", "/feed/org/" + owner + ".atom"});
}

}  // namespace

WrittenSite plan_comparisons(const LookupSnapshot& snapshot) {
  WrittenSite written;
  const auto stacks = stacks_with_results(snapshot);
  for (const std::string& target : snapshot.targets()) {
    std::vector<std::string> newest;
    for (const StackResults& results : stacks)
      if (results.target == target && newest.size() < kComparedStacks)
        newest.push_back(address_key(snapshot.stacks()[results.stack]));
    for (std::size_t before = newest.size(); before-- > 1;)
      for (std::size_t after = before; after-- > 0;)
        written.comparisons.push_back(
            {target, newest[before], newest[after],
             fmt::format("api/v1/compare/{}/{}...{}.json", target, newest[before], newest[after])});
  }
  return written;
}

std::vector<PlannedFile> plan_files(const Site& site) {
  const LookupSnapshot& snapshot = *site.content.snapshot;
  std::vector<PlannedFile> files = {{"site.json", "/site.json"}, {"openapi.json", "/openapi.json"}};
  for (const std::string_view page : {"", "compare/", "failures/", "coverage/", "queue/", "data/"})
    files.push_back({fmt::format("{}index.html", page), fmt::format("/{}", page)});
  for (const std::string_view name : {"models", "index", "stacks", "tasks", "exclusions", "columns", "fields", "files"})
    files.push_back({fmt::format("api/v1/{}.json", name), fmt::format("/api/v1/{}", name)});
  std::set<std::string> signatures;
  plan_stacks(snapshot, files, signatures);
  for (const std::string& key : signatures) {
    files.push_back({"failures/" + key + "/index.html", "/failures/" + key + "/"});
    files.push_back({"feed/signature/" + key + ".atom", "/feed/signature/" + key + ".atom"});
  }
  const auto name_of = [&](const std::string& key) {
    const auto stack =
        std::ranges::find_if(snapshot.stacks(), [&](const Stack& item) { return address_key(item) == key; });
    return encode_segment(short_name(*stack));
  };
  if (site.written)
    for (const WrittenComparison& pair : site.written->comparisons)
      files.push_back({pair.file, fmt::format("/api/v1/compare?a={}&b={}&target={}", name_of(pair.before),
                                              name_of(pair.after), encode_segment(pair.target))});
  plan_models(snapshot, files);
  return files;
}

}  // namespace willitrun
