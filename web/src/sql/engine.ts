/// DuckDB in the browser, over the published files. Loaded when somebody first runs a query: the engine alone is 34 MB (8 MB on the
/// wire), which is the price of whole SQL without any server, and nobody else pays it. Files are read by hyparquet and handed over
/// as Arrow, because DuckDB's own Parquet reader is an extension that it would fetch from another host.

import { AsyncDuckDB, VoidLogger } from "@duckdb/duckdb-wasm";
import workerUrl from "@duckdb/duckdb-wasm/dist/duckdb-browser-eh.worker.js?url";
import wasmUrl from "@duckdb/duckdb-wasm/dist/duckdb-eh.wasm?url";
import { DataType } from "apache-arrow";
import type { Column } from "../data/types.ts";
import { arrowTable } from "./arrow_table.ts";
import { readParquet } from "./read_parquet.ts";

/// What a query gave: names, and values as text; nothing for NULL.
export interface SqlAnswer {
  columns: string[];
  rows: (string | null)[][];
  total: number;
}

/// Rows that are shown.
const SHOWN = 200;

function textOf(value: unknown, type: DataType): string | null {
  if (value === null || value === undefined) return null;
  if (DataType.isTimestamp(type)) return new Date(Number(value)).toISOString();
  if (DataType.isDate(type)) return new Date(Number(value)).toISOString().slice(0, 10);
  return typeof value === "object" ? JSON.stringify(value, (_, part) => (typeof part === "bigint" ? String(part) : part)) : String(value);
}

export class SqlEngine {
  private constructor(private readonly database: AsyncDuckDB) {}

  /// Starts the engine with the rows of all files as the table `results`.
  static async start(files: URL[], columns: Column[]): Promise<SqlEngine> {
    const database = new AsyncDuckDB(new VoidLogger(), new Worker(workerUrl));
    const [tables] = await Promise.all([Promise.all(files.map(readParquet)), database.instantiate(wasmUrl)]);
    await database.open({ query: { castDecimalToDouble: true } });
    const connection = await database.connect();
    await connection.insertArrowTable(arrowTable(tables.flat(), columns), { name: "results", create: true });
    // From here on nothing but this table: no other host, no extension.
    for (const setting of ["autoinstall_known_extensions", "autoload_known_extensions", "enable_external_access"])
      await connection.query(`SET ${setting} = false`);
    await connection.close();
    return new SqlEngine(database);
  }

  /// Answers a query. Throws DuckDB's own words when it cannot.
  async query(sql: string): Promise<SqlAnswer> {
    const connection = await this.database.connect();
    try {
      const table = await connection.query(sql);
      const { fields } = table.schema;
      const shown = Math.min(SHOWN, table.numRows);
      const valueAt = (row: number, column: number) => textOf(table.getChildAt(column)?.get(row), fields[column]!.type);
      const rows = Array.from({ length: shown }, (_, row) => fields.map((_, column) => valueAt(row, column)));
      return { columns: fields.map((field) => field.name), rows, total: table.numRows };
    } finally {
      await connection.close();
    }
  }
}
