#include "store/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "os/file.h"

namespace willitrun {
namespace {

constexpr int kBusyTimeoutMs = 10'000;

constexpr const char* kSettings =
    "PRAGMA journal_mode = WAL;"
    "PRAGMA synchronous = FULL;"
    "PRAGMA foreign_keys = ON;";

bool is_full_disk(sqlite3* database) {
  const int number = sqlite3_system_errno(database);
  return number == ENOSPC || number == EDQUOT || number == EFBIG;
}

Code code_of(sqlite3* database, int status) {
  switch (status & 0xFF) {
    case SQLITE_FULL: return Code::ResourceExhausted;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return Code::Unavailable;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return Code::Corruption;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH: return Code::PermissionDenied;
    case SQLITE_CONSTRAINT: return Code::AlreadyExists;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN: return is_full_disk(database) ? Code::ResourceExhausted : Code::Io;
    default: return Code::Internal;
  }
}

std::string_view advice(Code code) {
  switch (code) {
    case Code::ResourceExhausted: return ": the disk is full";
    case Code::Unavailable: return ": another program holds it; try again";
    default: return "";
  }
}

std::unexpected<Error> sql_error(sqlite3* database) {
  const Code code = code_of(database, sqlite3_extended_errcode(database));
  const char* name = sqlite3_db_filename(database, "main");
  return fail(code,
              fmt::format("'{}': {}{}", name == nullptr ? "database" : name, sqlite3_errmsg(database), advice(code)));
}

struct Binder {
  sqlite3_stmt* statement;
  int index;

  int operator()(std::nullptr_t) const { return sqlite3_bind_null(statement, index); }
  int operator()(std::int64_t value) const { return sqlite3_bind_int64(statement, index, value); }
  int operator()(double value) const { return sqlite3_bind_double(statement, index, value); }
  int operator()(std::string_view value) const {
    // An empty view may have no address, which SQLite would take for NULL.
    return sqlite3_bind_text64(statement, index, value.empty() ? "" : value.data(), value.size(), SQLITE_TRANSIENT,
                               SQLITE_UTF8);
  }
};

}  // namespace

SqlValue sql_value(const std::optional<std::string>& text) {
  return text ? SqlValue(std::string_view(*text)) : SqlValue(nullptr);
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Status Statement::bind(std::initializer_list<SqlValue> parameters) {
  int index = 0;
  for (const SqlValue& value : parameters)
    if (std::visit(Binder{statement_.get(), ++index}, value) != SQLITE_OK)
      return sql_error(sqlite3_db_handle(statement_.get()));
  return {};
}

Result<bool> Statement::step() {
  const int status = sqlite3_step(statement_.get());
  if (status == SQLITE_ROW) return true;
  if (status == SQLITE_DONE) return false;
  return sql_error(sqlite3_db_handle(statement_.get()));
}

Status Statement::run(std::initializer_list<SqlValue> parameters) {
  sqlite3_reset(statement_.get());
  RETURN_IF_ERROR(bind(parameters));
  for (;;) {
    ASSIGN_OR_RETURN(const bool has_row, step());
    if (!has_row) return {};
  }
}

bool Statement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (bytes == nullptr) return "";
  return std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::optional<std::string> Statement::maybe_text(int column) const {
  return is_null(column) ? std::nullopt : std::optional(text(column));
}

std::optional<std::int64_t> Statement::maybe_integer(int column) const {
  return is_null(column) ? std::nullopt : std::optional(integer(column));
}

std::optional<double> Statement::maybe_real(int column) const {
  return is_null(column) ? std::nullopt : std::optional(real(column));
}

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Result<Database> Database::open(const std::filesystem::path& file) {
  if (file.has_parent_path()) RETURN_IF_ERROR(make_folder(file.parent_path()));
  sqlite3* handle = nullptr;
  constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int status = sqlite3_open_v2(file.c_str(), &handle, kFlags, nullptr);
  Database database;
  database.database_.reset(handle);
  if (handle == nullptr) return fail(Code::ResourceExhausted, "no memory for SQLite");
  if (status != SQLITE_OK) return sql_error(handle);
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
  RETURN_IF_ERROR(database.apply_settings());
  return database;
}

Status Database::apply_settings() {
  // Where several open a new database at once, all but one are told at once that it is busy: SQLite does not wait for
  // the lock under which the journal mode changes.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kBusyTimeoutMs);
  for (;;) {
    const Status settled = execute(kSettings);
    if (settled || (sqlite3_errcode(database_.get()) & 0xFF) != SQLITE_BUSY) return settled;
    if (std::chrono::steady_clock::now() > deadline) return settled;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

Status Database::execute(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    return sql_error(database_.get());
  return {};
}

Result<Statement> Database::prepare(std::string_view sql, std::initializer_list<SqlValue> parameters) {
  sqlite3_stmt* handle = nullptr;
  if (sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()), &handle, nullptr) != SQLITE_OK)
    return sql_error(database_.get());
  Statement statement(handle);
  RETURN_IF_ERROR(statement.bind(parameters));
  return statement;
}

Status Database::run(std::string_view sql, std::initializer_list<SqlValue> parameters) {
  ASSIGN_OR_RETURN(Statement statement, prepare(sql));
  return statement.run(parameters);
}

int Database::num_changes() const { return sqlite3_changes(database_.get()); }

std::int64_t Database::last_rowid() const { return sqlite3_last_insert_rowid(database_.get()); }

Result<Transaction> Transaction::begin(Database& database) {
  RETURN_IF_ERROR(database.execute("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Transaction::~Transaction() {
  // A transaction that SQLite itself rolled back (a full disk) has nothing left to undo: that error is of no interest.
  if (database_ != nullptr) static_cast<void>(database_->execute("ROLLBACK"));
}

Status Transaction::commit() {
  RETURN_IF_ERROR(database_->execute("COMMIT"));
  database_ = nullptr;
  return {};
}

}  // namespace willitrun
