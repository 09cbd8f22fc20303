#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "domain/enum_text.h"

namespace willitrun {

/// The ordered marks of an attempt. Each is recorded before it is entered, so the last one says where an attempt
/// stopped.
enum class Mark { Resolve, Download, Config, Reference, Place, Load, Shard, Compile, Generate, Compare, Done };

constexpr auto enum_names(std::type_identity<Mark>) {
  using enum Mark;
  return std::to_array<EnumName<Mark>>({{Resolve, "resolve"},
                                        {Download, "download"},
                                        {Config, "config"},
                                        {Reference, "reference"},
                                        {Place, "place"},
                                        {Load, "load"},
                                        {Shard, "shard"},
                                        {Compile, "compile"},
                                        {Generate, "generate"},
                                        {Compare, "compare"},
                                        {Done, "done"}});
}

/// Groups of failure classes.
enum class Stage { Load, Shard, Compile, Execute, Verify, Infra };

constexpr auto enum_names(std::type_identity<Stage>) {
  using enum Stage;
  return std::to_array<EnumName<Stage>>({{Load, "load"},
                                         {Shard, "shard"},
                                         {Compile, "compile"},
                                         {Execute, "execute"},
                                         {Verify, "verify"},
                                         {Infra, "infra"}});
}

/// Whose fault a failure is. Only Model and Stack failures make a verdict; Infra ones are retried.
enum class ChargedTo { Model, Stack, Infra };

constexpr auto enum_names(std::type_identity<ChargedTo>) {
  using enum ChargedTo;
  return std::to_array<EnumName<ChargedTo>>({{Model, "model"}, {Stack, "stack"}, {Infra, "infra"}});
}

/// One word of the failure vocabulary with the stage it belongs to and whom it is charged to.
struct FailureClass {
  std::string_view name;
  Stage stage;
  ChargedTo charged_to;
};

/// Returns the whole vocabulary, in the order of stages. Names are unique.
std::span<const FailureClass> failure_classes();

/// Returns the class of that name, or nothing.
std::optional<FailureClass> find_failure_class(std::string_view name);

/// A classified failure. `signature` is the class with normalised captures: the same for every path, address and
/// version.
struct Failure {
  FailureClass kind;
  std::string signature;
  std::string message;  ///< The line that says it best, for people.
};

}  // namespace willitrun
