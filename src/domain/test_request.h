#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

#include "base/time.h"
#include "domain/enum_text.h"

namespace willitrun {

/// Where a test request stands.
enum class RequestState { Waiting, Running, Done };

constexpr auto enum_names(std::type_identity<RequestState>) {
  return std::to_array<EnumName<RequestState>>(
      {{RequestState::Waiting, "waiting"}, {RequestState::Running, "running"}, {RequestState::Done, "done"}});
}

/// What somebody wants to have tested.
struct TestWish {
  std::string model_id;  ///< Hub id.
  std::string target;
  std::string transformers;  ///< Version; empty: the target's default.

  bool operator==(const TestWish&) const = default;
};

/// A wish in the queue. Equal wishes are one request with many votes.
struct TestRequest {
  std::int64_t id = 0;
  TestWish wish;
  std::int32_t votes = 0;
  std::optional<std::int32_t> position;  ///< Place among those that wait, from 1: most votes first, then oldest first.
  RequestState state = RequestState::Waiting;
  Time requested_at;
};

/// What asking for a test did.
struct AskedTest {
  TestRequest request;
  bool is_new = false;  ///< False: it waited already.
};

}  // namespace willitrun
