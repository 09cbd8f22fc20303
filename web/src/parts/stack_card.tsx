import type { Row } from "../data/types.ts";
import { Card } from "./card.tsx";
import { CopyButton } from "./copy_button.tsx";
import { Facts, type Fact } from "./facts.tsx";

const PARTS: readonly [string, keyof Row][] = [
  ["neuronx-cc", "neuronx_cc"],
  ["transformers", "transformers"],
  ["torch-neuronx", "torch_neuronx"],
  ["torch", "torch"],
  ["nki", "nki"],
  ["accelerate", "accelerate"],
  ["python", "python"],
  ["neuron driver", "neuron_driver"],
  ["compiler flags", "neuron_cc_flags"],
];

/// The exact versions of the run, and the model's revision.
export function StackCard({ row }: { row: Row }) {
  const known = PARTS.filter(([, field]) => row[field]);
  const text = known.map(([name, field]) => `${name} ${row[field]}`).join("\n");
  const facts: Fact[] = known.map(([name, field]) => [name, String(row[field])]);
  return (
    <Card title="Stack" aside={<CopyButton text={text} label="stack versions" />}>
      <Facts
        facts={[
          ...facts,
          ["model revision", row.model_revision && <code class="digest">{row.model_revision}</code>],
          ["script SHA-256", row.script_sha256 && <code class="digest">{row.script_sha256}</code>],
          ["sandbox", row.sandboxed === false ? "switched off for this run" : ""],
          ["remote code", row.remote_code ? "allowed for this run" : ""],
        ]}
      />
    </Card>
  );
}
