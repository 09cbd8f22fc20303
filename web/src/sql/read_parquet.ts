import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { AnswerError } from "../data/source.ts";

/// Values of one column by row; rows of files without the column have none.
export type Rows = Record<string, unknown>[];

/// Reads a whole Parquet file in JavaScript. DuckDB would fetch its own reader from another host.
export async function readParquet(url: URL): Promise<Rows> {
  const response = await fetch(url);
  if (!response.ok) throw new AnswerError(response.status, `${url.pathname}: status ${response.status}`);
  return (await parquetReadObjects({ file: await response.arrayBuffer(), compressors })) as Rows;
}
