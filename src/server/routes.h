#pragma once

#include "base/result.h"
#include "server/call.h"

/// One function per API route; src/server/openapi.json says what each answers.
namespace willitrun {

// results_routes.cpp
Result<Response> answer_models(const Call& call);
Result<Response> answer_model(const Call& call);
Result<Response> answer_run_py(const Call& call);
Result<Response> answer_history(const Call& call);
Result<Response> answer_stacks(const Call& call);
Result<Response> answer_tasks(const Call& call);
Result<Response> answer_exclusions(const Call& call);

// analysis_routes.cpp
Result<Response> answer_compare(const Call& call);
Result<Response> answer_failures(const Call& call);
Result<Response> answer_failure(const Call& call);
Result<Response> answer_coverage(const Call& call);

// data_routes.cpp
Result<Response> answer_site(const Call& call);
Result<Response> answer_columns(const Call& call);
Result<Response> answer_fields(const Call& call);
Result<Response> answer_files(const Call& call);
Result<Response> answer_index(const Call& call);
Result<Response> answer_results(const Call& call);
Result<Response> answer_data_file(const Call& call);

// queue_routes.cpp
Result<Response> answer_queue(const Call& call);
Result<Response> answer_queue_post(const Call& call);

// badge.cpp, feeds.cpp
Result<Response> answer_badge(const Call& call);
Result<Response> answer_model_feed(const Call& call);
Result<Response> answer_org_feed(const Call& call);
Result<Response> answer_signature_feed(const Call& call);

// operation_routes.cpp
Result<Response> answer_health(const Call& call);
Result<Response> answer_metrics(const Call& call);
Result<Response> answer_openapi(const Call& call);
Result<Response> answer_events(const Call& call);

}  // namespace willitrun
