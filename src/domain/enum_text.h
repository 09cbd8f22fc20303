#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <type_traits>

namespace willitrun {

/// One value of an enum and its text form, the one that JSON, Parquet and the journal carry.
template <class E>
struct EnumName {
  E value;
  std::string_view text;
};

/// An enum with a table of names: `constexpr auto enum_names(std::type_identity<E>)` beside it, every value once.
template <class E>
concept NamedEnum = std::is_enum_v<E> && requires { enum_names(std::type_identity<E>{}); };

/// Returns the text form of `value`.
template <NamedEnum E>
constexpr std::string_view to_text(E value) {
  for (const auto& name : enum_names(std::type_identity<E>{}))
    if (name.value == value) return name.text;
  return {};
}

/// Returns the value whose text form is `text`, or nothing.
template <NamedEnum E>
constexpr std::optional<E> from_text(std::string_view text) {
  for (const auto& name : enum_names(std::type_identity<E>{}))
    if (name.text == text) return name.value;
  return std::nullopt;
}

}  // namespace willitrun
