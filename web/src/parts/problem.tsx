import { AnswerError } from "../data/source.ts";
import { Notice } from "./notice.tsx";

/// Says why there is no answer and offers to try again when that may help.
export function Problem({ error }: { error: Error }) {
  const status = error instanceof AnswerError ? error.status : -1;
  const isQuestion = status >= 400 && status < 500;
  const title = status === 404 ? "Not found" : isQuestion ? "That question has no answer" : "No answer";
  return (
    <Notice kind="error" title={title}>
      <p>{error.message}</p>
      {!isQuestion && (
        <button type="button" class="button" onClick={() => location.reload()}>
          Try again
        </button>
      )}
    </Notice>
  );
}
