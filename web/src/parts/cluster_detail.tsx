import { useSource } from "../data/source.ts";
import type { FailureAnswer, Row } from "../data/types.ts";
import { useAnswer } from "../data/use_answer.ts";
import { modelUrl, routeUrl, type FailuresRoute } from "../route/route.ts";
import { count, day } from "../view/format.ts";
import { Card } from "./card.tsx";
import { EmulatedBanner } from "./emulated_banner.tsx";
import { Facts } from "./facts.tsx";
import { OutcomeChip } from "./outcome_chip.tsx";
import { PageHead } from "./page_head.tsx";
import { Problem } from "./problem.tsx";
import { Skeleton } from "./skeleton.tsx";

function AffectedRow({ row, route }: { row: Row; route: FailuresRoute }) {
  return (
    <li>
      <a href={modelUrl(row.model_id, route)}>{row.model_id}</a>
      <OutcomeChip row={row} />
      {row.downloads !== undefined && <span class="muted">{count(row.downloads)} downloads</span>}
      {row.error && <pre class="error-text short">{row.error.trim().split("\n").at(-1)}</pre>}
    </li>
  );
}

function Detail({ answer, route }: { answer: FailureAnswer; route: FailuresRoute }) {
  const source = useSource();
  const { cluster } = answer;
  return (
    <>
      <PageHead title={cluster.signature} />
      <Facts
        facts={[
          ["Stage", cluster.stage],
          ["Class", cluster.class.replaceAll("_", " ")],
          ["Downloads affected", count(cluster.downloads)],
          ["Models", cluster.models.length],
          ["First seen", cluster.first_seen && day(cluster.first_seen)],
          ["Seen on", cluster.stacks.join(", ")],
          ["Follow", <a href={source.fileUrl(`feed/signature/${cluster.key}.atom`).href}>Atom feed</a>],
        ]}
      />
      <Card title="Models that wait for the same fix">
        <ul class="related">
          {answer.rows.map((row) => (
            <AffectedRow key={row.model_id} row={row} route={route} />
          ))}
        </ul>
      </Card>
    </>
  );
}

/// One cause of failures and the models that meet it.
export function ClusterDetail({ route }: { route: FailuresRoute }) {
  const { value, loading, error } = useAnswer(routeUrl(route), (source, signal) => source.failure(route.cluster, route, signal));
  return (
    <>
      <nav class="crumbs" aria-label="Where you are">
        <a href={routeUrl({ ...route, cluster: "" })}>Failures</a>
      </nav>
      <EmulatedBanner target={route.target} />
      {error && <Problem error={error} />}
      {value && <Detail answer={value} route={route} />}
      {!value && loading && <Skeleton lines={6} />}
    </>
  );
}
