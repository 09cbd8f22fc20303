import { useSource } from "../data/source.ts";
import type { Column, DataFile } from "../data/types.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Card } from "../parts/card.tsx";
import { Command } from "../parts/code_block.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageHead } from "../parts/page_head.tsx";
import { Problem } from "../parts/problem.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { SqlBox } from "../parts/sql_box.tsx";
import type { DataRoute } from "../route/route.ts";
import { bytes, plural } from "../view/format.ts";

function Files({ files }: { files: DataFile[] }) {
  const source = useSource();
  if (files.length === 0) {
    return (
      <Notice kind="empty" title="No files yet">
        <p>
          <code>willitrun data export DIR</code> writes them.
        </p>
      </Notice>
    );
  }
  return (
    <ul class="files">
      {files.map((file) => (
        <li key={file.path}>
          <a href={source.fileUrl(file.path).href} download>
            {file.path.replace(/^data\//, "")}
          </a>
          <span class="muted">{bytes(file.bytes)}</span>
        </li>
      ))}
    </ul>
  );
}

function ReadIt({ files }: { files: DataFile[] }) {
  const source = useSource();
  const urls = files.slice(0, 2).map((file) => source.fileUrl(file.path).href);
  if (urls.length === 0) return null;
  const list = urls.map((url) => `"${url}"`).join(",\n    ");
  return (
    <Card title="Read it elsewhere">
      <Command label="pandas" text={`import pandas as pd\n\nresults = pd.concat(pd.read_parquet(url) for url in [\n    ${list},\n])`} />
      <Command label="DuckDB" text={`select model_id, neuronx_cc, library_version, neuron_cores, result\nfrom read_parquet([\n    ${list.replaceAll('"', "'")}\n], union_by_name = true);`} />
    </Card>
  );
}

function Dictionary({ columns }: { columns: Column[] }) {
  return (
    <Card title="What the columns mean">
      <div class="scroll" tabIndex={0} role="group" aria-label="Columns">
        <table class="plain dictionary">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Type</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <tr key={column.name}>
                <th scope="row">
                  <code>{column.name}</code>
                </th>
                <td class="muted">{column.type}</td>
                <td>{column.meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

/// The dataset itself: files, a box for questions in SQL, how to read it elsewhere, what each column means.
export function DataPage({ route }: { route: DataRoute }) {
  const files = useAnswer("files", (source, signal) => source.files(signal));
  const columns = useAnswer("columns", (source, signal) => source.columns(signal));
  const error = files.error ?? columns.error;
  const verdicts = (files.value?.rows ?? []).filter((file) => file.kind === "verdicts");
  return (
    <>
      <PageHead title="The data">Everything that these pages show comes from plain Parquet files, free to take: {plural(verdicts.length, "file")}.</PageHead>
      {error && <Problem error={error} />}
      {!error && (!files.value || !columns.value) && <Skeleton lines={8} />}
      {files.value && columns.value && (
        <div class="cards">
          {verdicts.length > 0 && (
            <Card title="Ask in SQL">
              <SqlBox sql={route.sql} files={verdicts} columns={columns.value.rows} />
            </Card>
          )}
          <Card title="Files">
            <Files files={verdicts} />
          </Card>
          <ReadIt files={verdicts} />
          <Dictionary columns={columns.value.rows} />
        </div>
      )}
    </>
  );
}
