#pragma once

#include <span>
#include <string>
#include <string_view>

namespace willitrun {

/// How values of a field are compared.
enum class FieldKind {
  Word,     ///< A word of a vocabulary or an id.
  Text,     ///< Free text.
  Version,  ///< Ordered by compare_versions().
  Number,
  Moment,
  Flag,
};

/// What a field belongs to.
enum class FieldOwner {
  Result,   ///< A column of the result; `column` names it.
  Verdict,  ///< The result's word; UNTESTED or EXCLUDED for a model without a result.
  Model,    ///< Something known about the model, tested or not.
};

/// A field that a query can ask for.
struct QueryField {
  std::string name;
  std::string alias;  ///< A second, shorter name; may be empty.
  FieldKind kind = FieldKind::Word;
  FieldOwner owner = FieldOwner::Result;
  std::string meaning;
};

/// All fields: what is known about models, then the columns of results.
std::span<const QueryField> query_fields();

/// Returns the field of that name or alias, in any case; null when there is none.
const QueryField* find_query_field(std::string_view name);

/// Returns the field whose name is most like `name`, or an empty text when none is near.
std::string similar_field(std::string_view name);

}  // namespace willitrun
