import { useStacks } from "../data/stacks_context.ts";
import { routeUrl, type ListRoute } from "../route/route.ts";
import { plural } from "../view/format.ts";
import { Notice } from "./notice.tsx";

/// Says that a target has no results, where there are some, and how to get them.
export function NoResults({ target, route }: { target: string; route: ListRoute }) {
  const counts = new Map<string, number>();
  for (const row of useStacks()) counts.set(row.target, (counts.get(row.target) ?? 0) + row.models);
  counts.delete(target);
  return (
    <Notice kind="info" title={`No results on ${target} yet`}>
      {[...counts].map(([name, models]) => (
        <p key={name}>
          There are {plural(models, "result")} on <a href={routeUrl({ ...route, target: name, compiler: "", library: "" })}>{name}</a>.
        </p>
      ))}
      {counts.size === 0 && (
        <p>
          <code>willitrun data pull</code> fetches the public Trainium results, <code>willitrun test MODEL</code> makes your own.
        </p>
      )}
    </Notice>
  );
}
