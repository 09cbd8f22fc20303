import { useSource } from "../data/source.ts";
import type { ModelAnswer } from "../data/types.ts";
import { Card } from "./card.tsx";
import { Command } from "./code_block.tsx";

/// The badge to put into a README, and the feed to follow the model by.
export function ShareCard({ answer }: { answer: ModelAnswer }) {
  const source = useSource();
  const badge = source.fileUrl(answer.links.badge).href;
  const page = location.href.split("?")[0];
  return (
    <Card title="Badge and feed">
      <p>
        <img src={badge} alt={`willitrun badge of ${answer.model.model_id}`} height="20" /> <a href={source.fileUrl(answer.links.feed).href}>Atom feed</a>
      </p>
      <Command text={`[![willitrun](${badge})](${page})`} label="Badge in Markdown" />
    </Card>
  );
}
