import { useRef, useState } from "preact/hooks";
import { useSource } from "../data/source.ts";
import type { Column, DataFile } from "../data/types.ts";
import { go } from "../route/navigation.ts";
import type { SqlAnswer, SqlEngine } from "../sql/engine.ts";
import { plural } from "../view/format.ts";
import { Notice } from "./notice.tsx";
import { SqlResult } from "./sql_result.tsx";

export const EXAMPLE = "select target, coalesce(verdict, result) as result, evidence, count(*) as models\nfrom results\ngroup by all\norder by models desc";

type State = { answer: SqlAnswer } | { error: string } | "loading" | null;

/// A box that answers SQL over the published files, in the browser alone.
export function SqlBox({ sql, files, columns }: { sql: string; files: DataFile[]; columns: Column[] }) {
  const source = useSource();
  const engine = useRef<Promise<SqlEngine> | null>(null);
  const [text, setText] = useState(sql || EXAMPLE);
  const [state, setState] = useState<State>(null);
  const start = async () => {
    const { SqlEngine: Engine } = await import("../sql/engine.ts");
    return Engine.start(files.map((file) => source.fileUrl(file.path)), columns);
  };
  const run = async () => {
    go({ page: "data", sql: text === EXAMPLE ? "" : text }, { replace: true });
    setState("loading");
    try {
      engine.current ??= start();
      setState({ answer: await (await engine.current).query(text) });
    } catch (error) {
      setState({ error: error instanceof Error ? error.message : String(error) });
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void run();
  };
  return (
    <div class="sql">
      <label class="field">
        <span>A question in SQL about the table “results”</span>
        <textarea rows={5} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} onKeyDown={onKeyDown} />
      </label>
      <p>
        <button type="button" class="button primary" onClick={run} disabled={state === "loading"}>
          Run
        </button>
        <span class="muted"> DuckDB runs in this window; the first question loads it (8 MB). Ctrl+Enter runs too.</span>
      </p>
      {state === "loading" && <Notice kind="info" title={`Reading ${plural(files.length, "file")} …`} />}
      {state && state !== "loading" && "error" in state && (
        <Notice kind="error" title="The question was refused">
          <pre class="error-text">{state.error}</pre>
        </Notice>
      )}
      {state && state !== "loading" && "answer" in state && <SqlResult answer={state.answer} />}
    </div>
  );
}
