#pragma once

#include <string>

namespace willitrun {

/// The description of the API: openapi.json beside this file, with the columns of a row filled in from row_columns().
const std::string& openapi_document();

}  // namespace willitrun
