import { PASS_DOES_NOT_SAY, PASS_SAYS } from "../view/explain.ts";
import { Card } from "./card.tsx";

/// What a PASS says and does not say, where one is shown.
export function PassMeaning() {
  return (
    <Card title="What this PASS says">
      <ul class="says">
        {PASS_SAYS.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <h3>And what it does not</h3>
      <ul class="says not">
        {PASS_DOES_NOT_SAY.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Card>
  );
}
