import type { Row } from "../data/types.ts";
import { bytes, percent, plural } from "../view/format.ts";
import { memoryOf } from "../view/memory.ts";
import { Card } from "./card.tsx";
import { Facts } from "./facts.tsx";
import { MemoryBar } from "./memory_bar.tsx";

const MODES: Record<string, string> = {
  single: "one core holds the whole model",
  tp: "tensor parallel",
  ep: "expert parallel",
  tp_ep: "tensor and expert parallel",
};

function deviationText(row: Row): string {
  const { planned_bytes_per_core: planned, peak_bytes_per_core: peak } = row;
  if (!planned || !peak) return "";
  const share = peak / planned - 1;
  return `${percent(Math.abs(share))} ${share < 0 ? "below" : "above"} the planned weights (caches and activations come on top)`;
}

/// How the model was spread over cores, and how full they became.
export function PlanCard({ row }: { row: Row }) {
  const cores = row.cores ?? row.tp;
  const memory = memoryOf(row);
  if (cores === undefined && !memory) return null;
  return (
    <Card title="Plan and memory">
      {memory && <MemoryBar memory={memory} />}
      <Facts
        facts={[
          ["Cores", cores === undefined ? "" : plural(cores, "core")],
          ["Spread", row.mode && (MODES[row.mode] ?? row.mode)],
          ["Planned weights per core", memory?.planned === undefined ? "" : bytes(memory.planned)],
          ["Measured peak per core", memory?.peak === undefined ? "" : bytes(memory.peak)],
          ["Measured against plan", deviationText(row)],
          ["A core has", memory ? bytes(memory.capacity) : ""],
        ]}
      />
    </Card>
  );
}
