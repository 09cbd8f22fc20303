import { Bool, Field, Float64, Int32, Int64, List, makeBuilder, Table, TimestampMillisecond, Utf8, type DataType, type Vector } from "apache-arrow";
import type { Column } from "../data/types.ts";
import type { Rows } from "./read_parquet.ts";

/// Arrow's type for a type of the data dictionary. Times are UTC and get no time zone: DuckDB would need an extension for zones.
function typeOf(name: string): DataType {
  switch (name) {
    case "int32":
      return new Int32();
    case "int64":
      return new Int64();
    case "double":
      return new Float64();
    case "bool":
      return new Bool();
    case "list<int32>":
      return new List(new Field("item", new Int32(), true));
    case "list<string>":
      return new List(new Field("item", new Utf8(), true));
    default:
      return name.startsWith("timestamp") ? new TimestampMillisecond() : new Utf8();
  }
}

function valueOf(value: unknown, type: string): unknown {
  if (value === undefined || value === null) return null;
  if (type === "int64") return BigInt(value as number | bigint);
  if (type === "int32" || type === "double") return Number(value);
  return value;
}

/// Null is told apart here and not by the builder, which would compile a test for it out of text: the page's security policy
/// forbids that.
function vectorOf(values: unknown[], type: DataType): Vector {
  const builder = makeBuilder({ type, nullValues: [] });
  values.forEach((value, i) => (value === null ? builder.setValid(i, false) : builder.set(i, value)));
  return builder.finish().toVector();
}

/// Makes an Arrow table of rows, with the columns of the data dictionary in its order.
export function arrowTable(rows: Rows, columns: Column[]): Table {
  const vectors = columns.map((column) => {
    const values = rows.map((row) => valueOf(row[column.name], column.type));
    return [column.name, vectorOf(values, typeOf(column.type))] as const;
  });
  return new Table(Object.fromEntries(vectors));
}
