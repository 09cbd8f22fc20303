import type { Row } from "../data/types.ts";
import { routeUrl, type StackChoice } from "../route/route.ts";
import { keyOf } from "../view/key.ts";
import { resultOf } from "../view/outcome.ts";
import { Card } from "./card.tsx";
import { CopyButton } from "./copy_button.tsx";
import { Facts } from "./facts.tsx";

const OWNERS: Record<string, string> = {
  model: "the model",
  stack: "the software stack",
  infra: "the test system: not the model’s fault",
};

/// The name of the cluster that a failure belongs to, as the server names it.
function clusterOf(row: Row): string {
  return row.signature || row.class || "unclassified";
}

/// Why it failed, and what fails alike.
export function ErrorCard({ row, stack }: { row: Row; stack: StackChoice }) {
  if (!row.error && !row.class) return null;
  const isFailure = resultOf(row) === "FAIL";
  const cluster = clusterOf(row);
  const url = routeUrl({ page: "failures", cluster: keyOf(cluster), target: stack.target, compiler: stack.compiler, library: stack.library });
  return (
    <Card title="What went wrong" wide aside={row.error && <CopyButton text={row.error} label="error text" />}>
      <Facts
        facts={[
          ["Stage", row.stage],
          ["Class", row.class?.replaceAll("_", " ")],
          ["Reached", row.reached],
          ["Charged to", row.charged_to && (OWNERS[row.charged_to] ?? row.charged_to)],
          ["Same failure elsewhere", isFailure && <a href={url}>{cluster}</a>],
        ]}
      />
      {row.error && (
        <pre class="error-text" tabIndex={0} aria-label="Error text">
          {row.error}
        </pre>
      )}
    </Card>
  );
}
