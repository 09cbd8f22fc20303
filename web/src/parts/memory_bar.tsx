import { bytes, percent } from "../view/format.ts";
import { shareOf, type Memory } from "../view/memory.ts";

function sentence({ planned, peak, capacity }: Memory): string {
  const parts = [peak !== undefined && `peak ${bytes(peak)}`, planned !== undefined && `planned ${bytes(planned)}`].filter(Boolean);
  return `${parts.join(", ")}, of ${bytes(capacity)} per core`;
}

/// Memory of the fullest core as a bar against its capacity; a tick marks the plan.
export function MemoryBar({ memory, compact = false }: { memory: Memory; compact?: boolean }) {
  const { planned, peak, capacity } = memory;
  const filled = peak ?? planned ?? 0;
  return (
    <span class={compact ? "memory compact" : "memory"} title={sentence(memory)}>
      <span class="memory-text">
        <b>{bytes(filled)}</b> <span class="muted">of {bytes(capacity)}</span>
      </span>
      <svg class="memory-bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={`${percent(filled / capacity)} of a core's memory`}>
        <rect class="bar-frame" width="100" height="6" />
        <rect class={peak === undefined ? "bar-planned" : "bar-used"} width={100 * shareOf(filled, capacity)} height="6" />
        {planned !== undefined && peak !== undefined && <rect class="bar-tick" x={99 * shareOf(planned, capacity)} width="0.8" height="6" />}
      </svg>
    </span>
  );
}
