#pragma once

#include "server/address.h"
#include "server/http_message.h"
#include "server/site.h"

namespace willitrun {

/// Answers an address that is no API route: a page, a redirect to the address of a page, or a file of the page build
/// (docs/formats/site.md). Without a page build, says so. A wrong address is told to a browser as a page, to programs
/// as JSON.
Response page_or_file(const Address& address, const Request& request, const Site& site);

}  // namespace willitrun
