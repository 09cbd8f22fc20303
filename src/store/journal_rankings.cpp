// Lists of models. All lists are kept with their dates; what is shown comes from the newest list of each task.

#include <set>

#include "base/text.h"
#include "store/journal_state.h"

namespace willitrun {
namespace {

constexpr std::string_view kInsertModel =
    "INSERT INTO listed_models (listing, model_id, task, local, library, license, formats, downloads, likes, "
    "trending_score, parameters, gated, removed, downloads_rank, trending_rank) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

constexpr std::string_view kNewest =
    "SELECT m.model_id, m.task, m.local, m.library, m.license, m.formats, m.downloads, m.likes, m.trending_score, "
    "m.parameters, m.gated, m.removed, m.downloads_rank, m.trending_rank FROM ("
    "  SELECT t.listing, t.task, t.local, l.taken_at, row_number() OVER ("
    "    PARTITION BY t.task, t.local ORDER BY l.taken_at DESC, l.number DESC) AS age"
    "  FROM listing_tasks t JOIN listings l ON l.number = t.listing WHERE ?1 = '' OR t.task = ?1"
    ") n JOIN listed_models m ON m.listing = n.listing AND m.task = n.task AND m.local = n.local WHERE n.age = 1 "
    "ORDER BY m.downloads_rank IS NULL, m.downloads_rank, m.model_id, n.taken_at DESC";

template <class T>
SqlValue number_or_null(const std::optional<T>& number) {
  if (!number) return nullptr;
  if constexpr (std::is_floating_point_v<T>) {
    return *number;
  } else {
    return std::int64_t{*number};
  }
}

std::optional<std::int32_t> rank_in(const Statement& statement, int column) {
  const auto rank = statement.maybe_integer(column);
  return rank ? std::optional(static_cast<std::int32_t>(*rank)) : std::nullopt;
}

RankedModel read_model(const Statement& statement) {
  RankedModel model;
  model.id = statement.text(0);
  model.task = statement.text(1);
  model.local = statement.integer(2) != 0;
  model.library = statement.text(3);
  model.license = statement.text(4);
  const std::string formats = statement.text(5);
  if (!formats.empty())
    for (const auto format : split(formats, ',')) model.formats.emplace_back(format);
  model.downloads = statement.maybe_integer(6);
  model.likes = statement.maybe_integer(7);
  model.trending_score = statement.maybe_real(8);
  model.parameters = statement.maybe_integer(9);
  model.gated = statement.integer(10) != 0;
  model.removed = statement.integer(11) != 0;
  model.downloads_rank = rank_in(statement, 12);
  model.trending_rank = rank_in(statement, 13);
  return model;
}

Status insert_models(Database& database, std::int64_t listing, const std::vector<RankedModel>& models) {
  std::set<std::pair<std::string_view, bool>> tasks;
  ASSIGN_OR_RETURN(Statement insert, database.prepare(kInsertModel));
  for (const RankedModel& model : models) {
    const std::string formats = join(model.formats, ",");
    RETURN_IF_ERROR(
        insert.run({listing, model.id, model.task, std::int64_t{model.local}, model.library, model.license, formats,
                    number_or_null(model.downloads), number_or_null(model.likes), number_or_null(model.trending_score),
                    number_or_null(model.parameters), std::int64_t{model.gated}, std::int64_t{model.removed},
                    number_or_null(model.downloads_rank), number_or_null(model.trending_rank)}));
    tasks.emplace(model.task, model.local);
  }
  for (const auto& [task, local] : tasks)
    RETURN_IF_ERROR(database.run("INSERT INTO listing_tasks VALUES (?, ?, ?)", {listing, task, std::int64_t{local}}));
  return {};
}

}  // namespace

Status Journal::import_listing(const Listing& listing) {
  Database& database = state_->database;
  const std::int64_t taken_at = listing.taken_at.time_since_epoch().count();
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::begin(database));
  RETURN_IF_ERROR(database.run("DELETE FROM listings WHERE source = ? AND taken_at = ?", {listing.source, taken_at}));
  RETURN_IF_ERROR(database.run("INSERT INTO listings (source, taken_at, imported_at) VALUES (?, ?, ?)",
                               {listing.source, taken_at, state_->now_ms()}));
  RETURN_IF_ERROR(insert_models(database, database.last_rowid(), listing.models));
  return transaction.commit();
}

Result<std::vector<RankedModel>> Journal::ranked_models(std::string_view task) {
  std::vector<RankedModel> models;
  std::set<std::string> seen;  // a model that changed its task is in two newest lists
  ASSIGN_OR_RETURN(Statement statement, state_->database.prepare(kNewest, {task}));
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, statement.step());
    if (!has_row) return models;
    RankedModel model = read_model(statement);
    if (seen.insert(model.id).second) models.push_back(std::move(model));
  }
}

Result<std::optional<Time>> Journal::ranking_date(std::string_view task) {
  ASSIGN_OR_RETURN(Statement statement,
                   state_->database.prepare("SELECT max(l.taken_at) FROM listings l JOIN listing_tasks t "
                                            "ON t.listing = l.number WHERE t.task = ? AND NOT t.local",
                                            {task}));
  RETURN_IF_ERROR(statement.step());
  const auto taken_at = statement.maybe_integer(0);
  return taken_at ? std::optional(time_of_ms(*taken_at)) : std::nullopt;
}

}  // namespace willitrun
