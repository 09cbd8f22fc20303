#include "store/data_dictionary.h"

#include <boost/json.hpp>

namespace willitrun {

const std::vector<DatasetColumn>& dataset_columns() {
  static const auto columns = [] {
    std::vector<DatasetColumn> list;
    for (const RowColumn& column : row_columns()) {
      if (column.origin == ColumnOrigin::Ours && list.back().source->origin == ColumnOrigin::PublicDataset)
        list.push_back({"neuron_cores", find_row_column("tp")});
      list.push_back({column.name, &column});
    }
    return list;
  }();
  return columns;
}

std::string_view kind_name(DatasetKind kind) { return kind == DatasetKind::Verdicts ? "verdicts" : "attempts"; }

std::string data_dictionary_json() {
  boost::json::object dictionary;
  for (const DatasetColumn& column : dataset_columns())
    dictionary[column.name] = {{"type", type_name(column.source->type)}, {"meaning", column.source->meaning}};
  return boost::json::serialize(dictionary);
}

}  // namespace willitrun
