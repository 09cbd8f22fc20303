import { useState } from "preact/hooks";
import { useSource } from "../data/source.ts";
import { useStacks } from "../data/stacks_context.ts";
import type { QueueAnswer } from "../data/types.ts";
import { useAnswer } from "../data/use_answer.ts";
import { AskForm } from "../parts/ask_form.tsx";
import { Card } from "../parts/card.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageHead } from "../parts/page_head.tsx";
import { Problem } from "../parts/problem.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { modelUrl, type QueueRoute } from "../route/route.ts";
import { day, plural } from "../view/format.ts";
import { stackChoices } from "../view/stacks.ts";

function Requests({ queue }: { queue: QueueAnswer }) {
  if (queue.rows.length === 0) {
    return (
      <Notice kind="empty" title="Nobody waits for a test">
        <p>The lab tests its own selection meanwhile.</p>
      </Notice>
    );
  }
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Test requests">
      <table class="plain">
        <caption class="muted">{plural(queue.total, "request")}</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              Place
            </th>
            <th scope="col">Model</th>
            <th scope="col">Target</th>
            <th scope="col">Transformers</th>
            <th scope="col" class="number">
              Votes
            </th>
            <th scope="col">State</th>
            <th scope="col">Asked</th>
          </tr>
        </thead>
        <tbody>
          {queue.rows.map((request) => (
            <tr key={request.id}>
              <td class="number">{request.position ?? ""}</td>
              <th scope="row">
                <a href={modelUrl(request.model_id)}>{request.model_id}</a>
              </th>
              <td>{request.target}</td>
              <td>{request.transformers || "the target’s own"}</td>
              <td class="number">{request.votes}</td>
              <td>
                <span class={`tag is-${request.state}`}>{request.state}</span>
              </td>
              <td>{day(request.requested_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/// Who waits for a test, and how to ask for one. Asking twice is a vote.
export function QueuePage({ route }: { route: QueueRoute }) {
  const { abilities } = useSource();
  const { targets } = stackChoices(useStacks(), "trn2");
  const [asked, setAsked] = useState(0);
  const { value, loading, error } = useAnswer(`queue ${asked}`, (source, signal) => source.queue(signal));
  return (
    <>
      <PageHead title="Test requests">Ask for a model that nobody has tested. Asking for one that waits already is a vote for it.</PageHead>
      {!abilities.queue && <Notice kind="empty" title="This copy of the site takes no requests" />}
      {abilities.queue && error && <Problem error={error} />}
      {abilities.queue && !value && loading && <Skeleton lines={4} />}
      {value && (
        <div class="cards">
          <Card title="Ask">
            <AskForm key={route.model} model={route.model} targets={targets} needsToken={!value.may_ask} onAsked={() => setAsked(asked + 1)} />
          </Card>
          <Card title="The queue">
            <Requests queue={value} />
          </Card>
        </div>
      )}
    </>
  );
}
