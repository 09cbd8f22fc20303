#pragma once

#include <string_view>

namespace willitrun {

/// The content of src/server/openapi.json.
extern const std::string_view kOpenApi;

}  // namespace willitrun
