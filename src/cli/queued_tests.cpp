#include "cli/queued_tests.h"

#include "cli/campaign_models.h"
#include "domain/row_stack.h"

namespace willitrun {

Result<std::vector<CampaignModel>> queued_models(Journal& journal, std::string_view target,
                                                 std::string_view transformers) {
  ASSIGN_OR_RETURN(const auto requests, journal.test_requests());
  std::vector<CampaignModel> models;
  for (const TestRequest& request : requests) {
    if (request.state != RequestState::Waiting || request.wish.target != target ||
        request.wish.transformers != transformers)
      continue;
    ASSIGN_OR_RETURN(ModelRef model, parse_model_ref(request.wish.model_id));
    models.push_back({.request = {.model = std::move(model)}});
  }
  RETURN_IF_ERROR(add_exclusions(models));
  return models;
}

Status close_requests(Journal& journal, const Row& verdict, std::string_view transformers) {
  if (!verdict.model_id || verdict.verdict.value_or("INDETERMINATE") == "INDETERMINATE") return {};
  const TestWish wish{*verdict.model_id, target_of(verdict), std::string(transformers)};
  RETURN_IF_ERROR(journal.close_test_request(wish));
  // Without a version the target's default ran, which somebody may have asked for by its number.
  return journal.close_test_request({wish.model_id, wish.target, verdict.transformers.value_or("")});
}

}  // namespace willitrun
