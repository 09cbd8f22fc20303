import { useStacks } from "../data/stacks_context.ts";
import type { Coverage, CoverageAnswer } from "../data/types.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Card } from "../parts/card.tsx";
import { Choice } from "../parts/choice.tsx";
import { EmulatedBanner } from "../parts/emulated_banner.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageHead } from "../parts/page_head.tsx";
import { Problem } from "../parts/problem.tsx";
import { SharePlot } from "../parts/share_plot.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { StackedBar } from "../parts/stacked_bar.tsx";
import { go } from "../route/navigation.ts";
import { routeUrl, type CoverageRoute } from "../route/route.ts";
import { partsOf } from "../view/coverage.ts";
import { count, day, exactCount, percent } from "../view/format.ts";
import { stackChoices } from "../view/stacks.ts";

function TaskLine({ name, coverage }: { name: string; coverage: Coverage }) {
  const parts = partsOf(coverage);
  return (
    <li class="task-line">
      <p>
        <b>{name}</b> <span class="task-share">{percent(coverage.pass_share_of_downloads)}</span>
        <span class="muted">
          {" "}
          of {count(coverage.downloads)} downloads, {exactCount(coverage.models)} models
        </span>
      </p>
      <StackedBar parts={parts} />
      <p class="muted">
        {parts.map((part) => `${part.word} ${percent(part.share)}`).join(" · ")}
      </p>
    </li>
  );
}

function OverStacks({ answer }: { answer: CoverageAnswer }) {
  const rows = answer.over_stacks;
  if (rows.length === 0) return null;
  return (
    <Card title="From stack to stack">
      <SharePlot
        title="Share of downloads whose models pass, from old to new stacks"
        values={rows.map(({ stack, coverage }) => ({ label: stack.name, share: coverage.pass_share_of_downloads }))}
      />
      <div class="scroll" tabIndex={0} role="group" aria-label="Share per stack">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Stack</th>
              <th scope="col">Newest result</th>
              <th scope="col" class="number">
                Downloads that pass
              </th>
              <th scope="col" class="number">
                Models that pass
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ stack, newest, coverage }) => (
              <tr key={stack.key}>
                <th scope="row">{stack.name}</th>
                <td>{newest && day(newest)}</td>
                <td class="number">{percent(coverage.pass_share_of_downloads)}</td>
                <td class="number">{exactCount(coverage.verdicts.find((part) => part.verdict === "PASS")?.models ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

/// Tasks with a result; a hundred others would only say that nobody looked.
function Tasks({ answer }: { answer: CoverageAnswer }) {
  const isTested = (coverage: Coverage) => coverage.verdicts.some((part) => part.verdict !== "UNTESTED" && part.verdict !== "EXCLUDED");
  const shown = answer.tasks.filter(({ task, coverage }) => task === null || isTested(coverage));
  const hidden = answer.tasks.length - shown.length;
  return (
    <Card title="Per task">
      <ul class="task-lines">
        {shown.map(({ task, coverage }) => (
          <TaskLine key={task ?? ""} name={task ?? "All tasks"} coverage={coverage} />
        ))}
      </ul>
      {hidden > 0 && <p class="muted">{hidden} more tasks have no results.</p>}
    </Card>
  );
}

/// Which share of real use works: downloads behind models that pass.
export function CoveragePage({ route }: { route: CoverageRoute }) {
  const { value, loading, error } = useAnswer(routeUrl(route), (source, signal) => source.coverage(route.target, signal));
  const { targets } = stackChoices(useStacks(), route.target);
  return (
    <>
      <PageHead title="Coverage">Which share of downloads goes to models that pass. Models that nobody tested count as not passing.</PageHead>
      <div class="controls">
        <div class="choices">
          <Choice label="Target" value={route.target} options={targets} onChange={(target) => go({ ...route, target }, { replace: true })} />
        </div>
      </div>
      <EmulatedBanner target={route.target} />
      {error && <Problem error={error} />}
      {value && value.over_stacks.length === 0 && <Notice kind="empty" title={`No results on ${route.target} yet`} />}
      {value && value.over_stacks.length > 0 && (
        <div class="cards">
          <Tasks answer={value} />
          <OverStacks answer={value} />
        </div>
      )}
      {!value && loading && <Skeleton lines={6} />}
    </>
  );
}
