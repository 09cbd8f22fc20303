import { seconds } from "../view/format.ts";
import type { Wall } from "../view/wall.ts";

/// Wall time, with its parts below where they are known.
export function WallTime({ wall }: { wall: Wall }) {
  if (wall.compile === undefined || wall.run === undefined) return <b>{seconds(wall.total)}</b>;
  const share = wall.total > 0 ? (100 * wall.compile) / wall.total : 0;
  return (
    <span class="wall" title={`compile ${seconds(wall.compile)}, everything else ${seconds(wall.run)}`}>
      <b>{seconds(wall.total)}</b>
      <svg class="wall-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar-run" width="100" height="4" />
        <rect class="bar-compile" width={share} height="4" />
      </svg>
      <span class="wall-parts">
        {seconds(wall.compile)} compile · {seconds(wall.run)} run
      </span>
    </span>
  );
}
