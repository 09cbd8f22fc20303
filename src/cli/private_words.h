#pragma once

#include "os/home.h"
#include "store/redaction.h"

namespace willitrun {

/// Collects what must not leave this machine: home folders, host names, access tokens in use.
PrivateWords private_words_of_machine(const Home& home);

}  // namespace willitrun
