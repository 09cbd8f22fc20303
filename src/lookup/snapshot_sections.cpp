// Gives the sections of a snapshot's file their meaning. Sizes are checked against each other here, so that everything
// behind this point may index without looking; that numbers inside sections are in range is what the checksum is for.
#include <fmt/format.h>

#include <algorithm>

#include "domain/row_stack.h"
#include "lookup/column_builder.h"
#include "lookup/snapshot.h"
#include "lookup/snapshot_file.h"

namespace willitrun {
namespace {

Result<TextList> read_texts(const SnapshotFileReader& file, const std::string& name) {
  ASSIGN_OR_RETURN(const auto starts, file.numbers<std::uint64_t>(name + ".starts"));
  ASSIGN_OR_RETURN(const auto bytes, file.numbers<char>(name + ".texts"));
  if (starts.empty() || !std::ranges::is_sorted(starts) || starts.back() != bytes.size())
    return fail(Code::Corruption, fmt::format("the snapshot file is damaged: the texts of {} do not fit", name));
  return TextList({bytes.data(), bytes.size()}, starts);
}

template <class Code>
Result<TextColumn> read_codes(const SnapshotFileReader& file, const std::string& name, std::size_t count) {
  ASSIGN_OR_RETURN(const TextList texts, read_texts(file, name));
  ASSIGN_OR_RETURN(const auto codes, file.numbers<Code>(fmt::format("{}.{}", name, codes_suffix<Code>()), count));
  return TextColumn(texts, codes);
}

Result<TextColumn> read_text_column(const SnapshotFileReader& file, const std::string& name, std::size_t count) {
  if (file.find(name + ".codes8")) return read_codes<std::uint8_t>(file, name, count);
  if (file.find(name + ".codes16")) return read_codes<std::uint16_t>(file, name, count);
  return read_codes<std::uint32_t>(file, name, count);
}

template <class T>
Result<CellColumn> read_number_column(const SnapshotFileReader& file, const RowColumn& column, std::size_t count) {
  const std::string name = fmt::format("cell.{}.{}", column.name, number_suffix<T>());
  if (!file.find(name)) return CellColumn(column);
  ASSIGN_OR_RETURN(const auto numbers, file.numbers<T>(name, count));
  return CellColumn(column, numbers);
}

Result<CellColumn> read_column(const SnapshotFileReader& file, const RowColumn& column, std::size_t count) {
  switch (column.type) {
    case ColumnType::Bool: return read_number_column<std::int8_t>(file, column, count);
    case ColumnType::Int32: return read_number_column<std::int32_t>(file, column, count);
    case ColumnType::Int64:
    case ColumnType::Timestamp: return read_number_column<std::int64_t>(file, column, count);
    case ColumnType::Double: return read_number_column<double>(file, column, count);
    default: break;
  }
  const std::string name = fmt::format("cell.{}", column.name);
  if (!file.find(name + ".texts")) return CellColumn(column);
  ASSIGN_OR_RETURN(const TextColumn texts, read_text_column(file, name, count));
  return CellColumn(column, texts);
}

Result<BitView> read_bits(const SnapshotFileReader& file, const std::string& name, std::size_t count) {
  ASSIGN_OR_RETURN(const auto words, file.numbers<std::uint64_t>(name, (count + 63) / 64));
  return BitView(words, count);
}

Result<ModelTable> read_models(const SnapshotFileReader& file, std::size_t count) {
  ModelTable models;
  for (const auto& [name, column] :
       {std::pair("task", &models.task), std::pair("library", &models.library), std::pair("license", &models.license),
        std::pair("exclusion", &models.exclusion), std::pair("exclusion_kind", &models.exclusion_kind)}) {
    ASSIGN_OR_RETURN(*column, read_text_column(file, fmt::format("model.{}", name), count));
  }
  for (const auto& [name, column] : {std::pair("downloads", &models.downloads), std::pair("likes", &models.likes),
                                     std::pair("parameters", &models.parameters)}) {
    ASSIGN_OR_RETURN(*column, file.numbers<std::int64_t>(fmt::format("model.{}.i64", name), count));
  }
  for (const auto& [name, column] :
       {std::pair("downloads_rank", &models.downloads_rank), std::pair("trending_rank", &models.trending_rank),
        std::pair("selected_rank", &models.selected_rank)}) {
    ASSIGN_OR_RETURN(*column, file.numbers<std::int32_t>(fmt::format("model.{}.i32", name), count));
  }
  for (const auto& [name, bits] : {std::pair("gated", &models.gated), std::pair("removed", &models.removed),
                                   std::pair("local", &models.local), std::pair("ranked", &models.ranked)}) {
    ASSIGN_OR_RETURN(*bits, read_bits(file, fmt::format("model.{}.bits", name), count));
  }
  ASSIGN_OR_RETURN(models.trending_score, file.numbers<double>("model.trending_score.f64", count));
  return models;
}

Status read_stacks_and_targets(const SnapshotFileReader& file, SnapshotData& data) {
  const auto parts = stack_parts();
  ASSIGN_OR_RETURN(const TextList texts, read_texts(file, "stacks"));
  for (std::size_t i = 0; i + parts.size() <= texts.size(); i += parts.size()) {
    Stack& stack = data.stacks.emplace_back();
    for (std::size_t part = 0; part < parts.size(); ++part) stack.*parts[part] = std::string(texts[i + part]);
  }
  ASSIGN_OR_RETURN(const TextList targets, read_texts(file, "targets"));
  for (std::size_t i = 0; i < targets.size(); ++i) data.targets.emplace_back(targets[i]);
  return {};
}

Result<CellTable> read_cells(const SnapshotFileReader& file, const SnapshotData& data) {
  CellTable cells;
  cells.num_models = data.names.size();
  const std::size_t num_targets = data.targets.size();
  ASSIGN_OR_RETURN(cells.model_of_cell, file.numbers<ModelNumber>("cells.model.u32"));
  const std::size_t count = cells.model_of_cell.size();
  ASSIGN_OR_RETURN(cells.stack_of_cell, file.numbers<std::uint16_t>("cells.stack.u16", count));
  ASSIGN_OR_RETURN(cells.model_starts,
                   file.numbers<CellNumber>("cells.model_starts.u32", num_targets * (cells.num_models + 1)));
  ASSIGN_OR_RETURN(cells.stack_cells, file.numbers<CellNumber>("cells.by_stack.u32", count));
  ASSIGN_OR_RETURN(cells.stack_starts,
                   file.numbers<std::uint32_t>("cells.stack_starts.u32", num_targets * data.stacks.size() + 1));
  ASSIGN_OR_RETURN(cells.next_library, file.numbers<CellNumber>("cells.next_library.u32", count));
  for (std::uint32_t target = 0; target < num_targets; ++target) {
    const std::size_t size = cells.cells_of_target(target).size();
    ASSIGN_OR_RETURN(cells.has_next_compiler.emplace_back(),
                     read_bits(file, fmt::format("cells.next_compiler.{}.bits", target), size));
  }
  return cells;
}

}  // namespace

Result<std::shared_ptr<const LookupSnapshot>> LookupSnapshot::open(std::shared_ptr<const void> owner,
                                                                   std::string_view bytes) {
  ASSIGN_OR_RETURN(const SnapshotFileReader file, SnapshotFileReader::open(bytes));
  SnapshotData data;
  data.owner = std::move(owner);
  ASSIGN_OR_RETURN(data.names, NameIndex::open(file.find("names").value_or(std::string_view())));
  const std::size_t num_models = data.names.size();
  ASSIGN_OR_RETURN(data.by_id, file.numbers<ModelNumber>("models_by_id.u32", num_models));
  ASSIGN_OR_RETURN(data.models, read_models(file, num_models));
  RETURN_IF_ERROR(read_stacks_and_targets(file, data));
  ASSIGN_OR_RETURN(data.cells, read_cells(file, data));
  const std::size_t num_cells = data.cells.model_of_cell.size();
  ASSIGN_OR_RETURN(data.verdicts, read_text_column(file, "verdicts", num_cells));
  for (const RowColumn& column : row_columns()) {
    if (!is_kept_in_snapshot(column)) continue;
    ASSIGN_OR_RETURN(const CellColumn cells, read_column(file, column, num_cells));
    data.columns.push_back(cells);
  }
  return std::make_shared<const LookupSnapshot>(std::move(data));
}

}  // namespace willitrun
