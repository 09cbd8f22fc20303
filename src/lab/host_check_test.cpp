#include "lab/host_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace willitrun {
namespace {

using testing::HasSubstr;

const Target kTrn2{.name = "trn2", .device = "neuron"};

InterpreterFacts neuron_host(std::string torch_neuronx) {
  InterpreterFacts facts;
  facts.stack = {
      .neuronx_cc = "2.28.7631.0", .torch_neuronx = std::move(torch_neuronx), .torch = "2.14.0", .python = "3.12.1"};
  return facts;
}

TEST(HostCheck, RefusesTheXlaPackageByName) {
  const auto checks = check_interpreter(kTrn2, "5.24.0", neuron_host("2.9.0.2.11"));
  ASSERT_EQ(checks.size(), 3U);
  EXPECT_EQ(checks[1].status, CheckStatus::Missing);
  EXPECT_THAT(checks[1].finding, HasSubstr("XLA"));
  EXPECT_THAT(checks[1].remedy, HasSubstr("pip.repos.neuron"));
}

TEST(HostCheck, AcceptsTheNativePackage) {
  for (const HostCheck& check : check_interpreter(kTrn2, "5.24.0", neuron_host("2.14.3.0.1")))
    EXPECT_EQ(check.status, CheckStatus::Ok) << check.what;
}

TEST(HostCheck, SaysHowToNameAMissingInterpreter) {
  const auto checks = check_interpreter(kTrn2, "5.24.0", fail(Code::NotFound, "none"));
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks[0].status, CheckStatus::Missing);
  EXPECT_THAT(checks[0].remedy, HasSubstr("NEURON_PYTHON"));
}

TEST(HostCheck, FindsNeitherDeviceNorDriverOnAnOrdinaryHost) {
  for (const HostCheck& check : check_neuron_device(kTrn2, 0, "")) {
    EXPECT_EQ(check.status, CheckStatus::Missing) << check.what;
    EXPECT_FALSE(check.remedy.empty()) << check.what;
  }
  for (const HostCheck& check : check_neuron_device(kTrn2, 16, "2.31.7.0")) EXPECT_EQ(check.status, CheckStatus::Ok);
}

TEST(HostCheck, TellsAMissingSandboxFromAWeakOne) {
  EXPECT_EQ(check_sandbox({.obstacle = "bubblewrap is not installed"})[0].status, CheckStatus::Missing);
  EXPECT_EQ(check_sandbox({.bubblewrap = "/usr/bin/bwrap"}).back().status, CheckStatus::Weak);
  EXPECT_EQ(check_sandbox({.bubblewrap = "/usr/bin/bwrap", .cgroups = {"/a", "/b"}}).back().status, CheckStatus::Ok);
}

TEST(HostCheck, WarnsOfALittleDisk) {
  EXPECT_EQ(check_disk("/home", 1 << 20).status, CheckStatus::Weak);
  EXPECT_EQ(check_disk("/home", std::uint64_t{1} << 40).status, CheckStatus::Ok);
}

}  // namespace
}  // namespace willitrun
