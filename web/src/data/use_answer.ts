import { useContext, useEffect, useState } from "preact/hooks";
import { RevisionContext } from "./revision_context.ts";
import { useSource, type DataSource } from "./source.ts";

/// What is known of an answer: the newest one that came, whether another is on its way, and what went wrong.
export interface Answer<T> {
  value: T | null;
  loading: boolean;
  error: Error | null;
}

/// Asks when `key` changes, or when the site's data did, and gives up what was asked before. The old answer stays while the new one
/// is on its way, so that nothing flickers while somebody types.
export function useAnswer<T>(key: string, ask: (source: DataSource, signal: AbortSignal) => Promise<T>): Answer<T> {
  const source = useSource();
  const revision = useContext(RevisionContext);
  const [answer, setAnswer] = useState<Answer<T>>({ value: null, loading: true, error: null });
  useEffect(() => {
    const abort = new AbortController();
    setAnswer((before) => ({ ...before, loading: true }));
    ask(source, abort.signal).then(
      (value) => abort.signal.aborted || setAnswer({ value, loading: false, error: null }),
      (error: Error) => abort.signal.aborted || setAnswer({ value: null, loading: false, error }),
    );
    return () => abort.abort();
  }, [key, revision]);
  return answer;
}
