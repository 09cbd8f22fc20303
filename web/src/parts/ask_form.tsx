import { useState } from "preact/hooks";
import { useSource } from "../data/source.ts";
import type { TestRequestAnswer } from "../data/types.ts";
import { Notice } from "./notice.tsx";

/// The token is kept for this window only.
const TOKEN_PLACE = "willitrun-token";

function sentenceOf({ created, request }: TestRequestAnswer): string {
  const place = request.position === null ? "" : ` Place ${request.position} in the queue.`;
  const votes = `${request.votes} ${request.votes === 1 ? "vote" : "votes"}`;
  return created ? `${request.model_id} waits now.${place}` : `It was asked for before: ${votes} now.${place}`;
}

/// Asks for a test, or votes for one that waits.
export function AskForm(props: { model: string; targets: string[]; needsToken: boolean; onAsked: () => void }) {
  const source = useSource();
  const [wish, setWish] = useState({ model_id: props.model, target: "trn2", transformers: "" });
  const [token, setToken] = useState(sessionStorage.getItem(TOKEN_PLACE) ?? "");
  const [answer, setAnswer] = useState<TestRequestAnswer | Error | "asking" | null>(null);
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    setAnswer("asking");
    sessionStorage.setItem(TOKEN_PLACE, token);
    const told = await source.ask(wish, token).catch((error: Error) => error);
    setAnswer(told);
    if (!(told instanceof Error)) props.onAsked();
  };
  return (
    <form class="ask" onSubmit={onSubmit}>
      <label class="field">
        <span>Model</span>
        <input required value={wish.model_id} placeholder="owner/name" autocomplete="off" spellcheck={false} maxLength={200} onInput={(event) => setWish({ ...wish, model_id: event.currentTarget.value.trim() })} />
      </label>
      <label class="field">
        <span>Target</span>
        <select value={wish.target} onChange={(event) => setWish({ ...wish, target: event.currentTarget.value })}>
          {props.targets.map((target) => (
            <option key={target}>{target}</option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>Transformers</span>
        <input value={wish.transformers} placeholder="the target’s own" autocomplete="off" maxLength={40} onInput={(event) => setWish({ ...wish, transformers: event.currentTarget.value.trim() })} />
      </label>
      {props.needsToken && (
        <label class="field">
          <span>Token of this server</span>
          <input type="password" value={token} autocomplete="off" onInput={(event) => setToken(event.currentTarget.value)} />
        </label>
      )}
      <button type="submit" class="button primary" disabled={answer === "asking"}>
        Ask for a test
      </button>
      {answer instanceof Error && <Notice kind="error" title={answer.message} />}
      {answer && answer !== "asking" && !(answer instanceof Error) && <Notice kind="info" title={sentenceOf(answer)} />}
    </form>
  );
}
