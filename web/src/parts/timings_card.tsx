import type { Row } from "../data/types.ts";
import { seconds } from "../view/format.ts";
import { stretchesOf, type Stretch } from "../view/timings.ts";
import { Card } from "./card.tsx";
import { Facts } from "./facts.tsx";

function WallBar({ stretches }: { stretches: Stretch[] }) {
  const total = stretches.reduce((sum, stretch) => sum + stretch.seconds, 0);
  let begin = 0;
  return (
    <>
      <svg class="stretch-bar" viewBox="0 0 1000 14" preserveAspectRatio="none" aria-hidden="true">
        {stretches.map((stretch) => {
          const width = (1000 * stretch.seconds) / total;
          begin += width;
          return <rect key={stretch.name} class={`stretch-${stretch.kind}`} x={begin - width} width={Math.max(2, width - 3)} height="14" />;
        })}
      </svg>
      <ul class="stretches">
        {stretches.map((stretch) => (
          <li key={stretch.name}>
            <span class={`swatch stretch-${stretch.kind}`} />
            {stretch.name} <b>{seconds(stretch.seconds)}</b>
          </li>
        ))}
      </ul>
    </>
  );
}

function cacheText(row: Row): string {
  if (row.cache_hits === undefined && row.cache_misses === undefined) return "";
  return `${row.cache_hits ?? 0} found, ${row.cache_misses ?? 0} compiled`;
}

/// Where the time went.
export function TimingsCard({ row }: { row: Row }) {
  const stretches = stretchesOf(row);
  if (stretches.length === 0 && row.tokens_per_s === undefined) return null;
  return (
    <Card title="Time">
      {stretches.length > 1 && <WallBar stretches={stretches} />}
      <Facts
        facts={[
          ["Whole run", row.wall_s === undefined ? "" : seconds(row.wall_s)],
          ["First token", row.first_token_s === undefined ? "" : seconds(row.first_token_s)],
          ["Then", row.tokens_per_s === undefined ? "" : `${row.tokens_per_s.toFixed(1)} tokens/s`],
          ["Graphs", row.graphs],
          ["Compile cache", cacheText(row)],
          ["Operators on the CPU", row.fallback_ops?.join(", ")],
        ]}
      />
    </Card>
  );
}
