#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hub/hub_settings.h"
#include "hub/local_mirror_fixture.h"
#include "testing/local_hub.h"
#include "testing/temp_folder.h"

namespace willitrun {

/// One request that the local Hub saw.
struct SeenRequest {
  std::string path;
  int port = 0;
  int status = 0;
  std::uint64_t bytes = 0;  ///< Of content sent.
  std::optional<std::string> range, if_range, authorization;
};

/// A local Hub and a mirror folder of its own, shared by the tests of a suite; faults and counters start anew in each
/// test.
class LocalHubTest : public testing::Test {
 protected:
  static void SetUpTestSuite();
  static void TearDownTestSuite();
  void SetUp() override;

  /// The repositories that the Hub serves.
  static LocalMirrorFixture& repositories() { return *repositories_; }

  /// Settings with short pauses for the local Hub.
  static HubSettings settings();

  /// Orders faults: a JSON array (python/local_hub/faults.py).
  static void order(const std::string& faults);

  /// What was asked since the test began.
  static std::vector<SeenRequest> seen();
  static std::uint64_t seen_bytes();

  std::atomic<bool> cancelled = false;
  TempFolder scratch;

 private:
  static std::unique_ptr<TempFolder> folder_;
  static std::unique_ptr<LocalMirrorFixture> repositories_;
  static std::unique_ptr<LocalHub> server_;
};

}  // namespace willitrun
