#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace willitrun {

/// A value for a parameter of a statement. A std::string_view must outlive the call that it is given to.
using SqlValue = std::variant<std::nullptr_t, std::int64_t, double, std::string_view>;

/// An optional text as a parameter.
SqlValue sql_value(const std::optional<std::string>& text);

/// A prepared statement of SQLite.
class Statement {
 public:
  /// Takes over `statement`.
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  /// Sets the parameters, in their order.
  Status bind(std::initializer_list<SqlValue> parameters);

  /// Goes to the next row of the answer; false when there is none.
  Result<bool> step();

  /// Runs the statement from its start with other parameters, to its end. For statements without an answer.
  Status run(std::initializer_list<SqlValue> parameters);

  // Columns of the current row, from 0. A null reads as an empty text or 0.
  bool is_null(int column) const;
  std::string text(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;

  std::optional<std::string> maybe_text(int column) const;
  std::optional<std::int64_t> maybe_integer(int column) const;
  std::optional<double> maybe_real(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// An open SQLite file: write-ahead log, every commit synced, foreign keys on, and ten seconds of patience with other
/// programs. Errors carry SQLite's words and the file's name: ResourceExhausted for a full disk, Unavailable when
/// another program holds the file for too long, Corruption for a damaged one.
class Database {
 public:
  static Result<Database> open(const std::filesystem::path& file);

  /// Runs statements that have neither parameters nor answers.
  Status execute(const std::string& sql);

  /// Prepares one statement with its parameters bound.
  Result<Statement> prepare(std::string_view sql, std::initializer_list<SqlValue> parameters = {});

  /// Prepares and runs one statement without an answer.
  Status run(std::string_view sql, std::initializer_list<SqlValue> parameters = {});

  /// Rows that the last statement inserted, changed or deleted.
  int num_changes() const;

  /// Rowid of the last inserted row.
  std::int64_t last_rowid() const;

 private:
  Status apply_settings();

  struct Close {
    void operator()(sqlite3* database) const;
  };

  std::unique_ptr<sqlite3, Close> database_;
};

/// A write transaction: everything until commit() happens or nothing does. Other writers wait; readers do not.
class Transaction {
 public:
  static Result<Transaction> begin(Database& database);

  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Status commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}

  Database* database_;
};

}  // namespace willitrun
