import type { FailureCluster } from "../data/types.ts";
import { useAnswer } from "../data/use_answer.ts";
import { ClusterDetail } from "../parts/cluster_detail.tsx";
import { EmulatedBanner } from "../parts/emulated_banner.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageHead } from "../parts/page_head.tsx";
import { Problem } from "../parts/problem.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { StackChoices } from "../parts/stack_choices.tsx";
import { go } from "../route/navigation.ts";
import { routeUrl, type FailuresRoute } from "../route/route.ts";
import { count, day, plural } from "../view/format.ts";

function ClusterRow({ cluster, route, most }: { cluster: FailureCluster; route: FailuresRoute; most: number }) {
  const share = most > 0 ? (100 * cluster.downloads) / most : 0;
  return (
    <li class="cluster">
      <div class="cluster-head">
        <a href={routeUrl({ ...route, cluster: cluster.key })}>{cluster.signature}</a>
        <span class="tag">{cluster.stage || "no stage"}</span>
      </div>
      <svg class="cluster-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar-frame" width="100" height="4" />
        <rect class="fill-fail" width={Math.max(0.5, share)} height="4" />
      </svg>
      <p class="cluster-facts">
        <b>{count(cluster.downloads)} downloads</b> · {plural(cluster.models.length, "model")}
        {cluster.first_seen && ` · first seen ${day(cluster.first_seen)}`} · {plural(cluster.stacks.length, "stack")}
      </p>
      <p class="muted cluster-models">
        {cluster.models
          .slice(0, 3)
          .map((model) => model.model_id)
          .join(", ")}
        {cluster.models.length > 3 && ` and ${cluster.models.length - 3} more`}
      </p>
    </li>
  );
}

function Clusters({ route }: { route: FailuresRoute }) {
  const key = routeUrl(route);
  const { value, loading, error } = useAnswer(key, (source, signal) => source.failures(route, signal));
  if (error) return <Problem error={error} />;
  if (!value) return loading ? <Skeleton lines={6} /> : null;
  if (value.rows.length === 0) {
    return (
      <Notice kind="empty" title={value.stack ? "No failures on this stack" : `No results on ${value.target} yet`}>
        {value.stack && <p>{value.stack}</p>}
      </Notice>
    );
  }
  return (
    <>
      <p class="list-stack">
        {value.target} · {value.stack}
      </p>
      <ol class="clusters">
        {value.rows.map((cluster) => (
          <ClusterRow key={cluster.key} cluster={cluster} route={route} most={value.rows[0]?.downloads ?? 0} />
        ))}
      </ol>
    </>
  );
}

/// Failures with the same cause, by the downloads that wait for a fix; or one of them.
export function FailuresPage({ route }: { route: FailuresRoute }) {
  if (route.cluster) return <ClusterDetail route={route} />;
  return (
    <>
      <PageHead title="Failures">Each line is one cause: a fix for it helps every model below it. The most downloads come first.</PageHead>
      <div class="controls">
        <StackChoices stack={route} onChange={(stack) => go({ ...route, ...stack }, { replace: true })} />
      </div>
      <EmulatedBanner target={route.target} />
      <Clusters route={route} />
    </>
  );
}
