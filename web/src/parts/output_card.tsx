import type { Row } from "../data/types.ts";
import { difference } from "../view/difference.ts";
import { Card } from "./card.tsx";
import { Facts } from "./facts.tsx";
import { TokenStrip } from "./token_strip.tsx";

function Texts({ text, reference }: { text: string; reference: string | undefined }) {
  if (reference === undefined) return <blockquote class="text">{text}</blockquote>;
  const { same, generated, reference: expected } = difference(text, reference);
  if (generated === "" && expected === "") {
    return (
      <>
        <p class="muted">Generated text, the same as the CPU reference’s</p>
        <blockquote class="text">{text}</blockquote>
      </>
    );
  }
  return (
    <div class="text-pair">
      <div>
        <p class="muted">Generated</p>
        <blockquote class="text">
          {same}
          <mark class="differs">{generated || "∎"}</mark>
        </blockquote>
      </div>
      <div>
        <p class="muted">CPU reference</p>
        <blockquote class="text">
          {same}
          <mark class="expected">{expected || "∎"}</mark>
        </blockquote>
      </div>
    </div>
  );
}

/// What the model said, beside what it should have said.
export function OutputCard({ row }: { row: Row }) {
  if (!row.text && !row.tokens) return null;
  return (
    <Card title="Output" wide>
      {row.prompt && (
        <p>
          <span class="muted">Prompt</span> {row.prompt}
        </p>
      )}
      {row.text && <Texts text={row.text} reference={row.reference_text} />}
      {row.tokens && row.reference_tokens && <TokenStrip tokens={row.tokens} reference={row.reference_tokens} />}
      <Facts
        facts={[
          ["First difference", row.first_mismatch === undefined ? "" : `token ${row.first_mismatch + 1}`],
          ["Reference’s margin there", row.margin === undefined ? "" : row.margin.toPrecision(3)],
          ["Largest logit difference", row.max_logit_difference === undefined ? "" : row.max_logit_difference.toPrecision(3)],
          ["Compared with the CPU", row.cpu_match],
          ["Judge on English", row.english],
          ["Judge’s score", row.judge_score === undefined ? "" : `${row.judge_score.toFixed(2)} nats per token`],
        ]}
      />
    </Card>
  );
}
