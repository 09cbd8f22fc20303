import type { ListAnswer } from "../data/types.ts";
import { useAnswer } from "../data/use_answer.ts";
import { CoverageBar } from "../parts/coverage_bar.tsx";
import { EmulatedBanner } from "../parts/emulated_banner.tsx";
import { focusFirstRow, ModelTable } from "../parts/model_table.tsx";
import { NoModels } from "../parts/no_models.tsx";
import { NoResults } from "../parts/no_results.tsx";
import { Problem } from "../parts/problem.tsx";
import { SearchBox } from "../parts/search_box.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { StackChoices } from "../parts/stack_choices.tsx";
import { TaskChoice } from "../parts/task_choice.tsx";
import { ViewTabs } from "../parts/view_tabs.tsx";
import { go } from "../route/navigation.ts";
import { MAX_ROWS, PAGE_SIZE, routeUrl, type ListRoute } from "../route/route.ts";
import { exactCount } from "../view/format.ts";

function Intro() {
  return (
    <div class="intro">
      <h1>Does it run on Trainium?</h1>
      <p>
        Hugging Face models, unmodified, on <code>torch-neuronx</code>: tested on the device, checked against a CPU reference, with the
        script that reproduces each result.
      </p>
    </div>
  );
}

function ListFoot({ list, route }: { list: ListAnswer; route: ListRoute }) {
  const hasMore = list.rows.length < list.total && route.count < MAX_ROWS;
  return (
    <p class="list-foot">
      {exactCount(list.rows.length)} of {exactCount(list.total)} models
      {hasMore && (
        <button type="button" class="button" onClick={() => go({ ...route, count: route.count + PAGE_SIZE }, { replace: true })}>
          Show more
        </button>
      )}
    </p>
  );
}

function List({ list, route, busy }: { list: ListAnswer; route: ListRoute; busy: boolean }) {
  if (list.rows.length === 0) return <NoModels route={route} />;
  return (
    <>
      {list.relaxed && <p class="hint">No name matches as typed. These match with letters and digits apart.</p>}
      <ModelTable rows={list.rows} route={route} busy={busy} />
      <ListFoot list={list} route={route} />
    </>
  );
}

/// What the list speaks for and on which stack, or that there is nothing to speak of.
function Summary({ list, route, onVerdict }: { list: ListAnswer; route: ListRoute; onVerdict: (verdict: string) => void }) {
  if (!list.stack) return <NoResults target={route.target} route={route} />;
  return (
    <>
      <CoverageBar coverage={list.coverage} chosen={route.verdict} onChoose={onVerdict} />
      <p class="list-stack">
        {list.target} · neuronx-cc {list.stack.neuronx_cc || "none"} · Transformers {list.stack.transformers || list.stack.library_version}
      </p>
    </>
  );
}

/// The first page: lists of models with what became of each.
export function ModelsPage({ route }: { route: ListRoute }) {
  const { value, loading, error } = useAnswer(routeUrl(route), (source, signal) => source.models(route, signal));
  const change = (part: Partial<ListRoute>) => go({ ...route, count: PAGE_SIZE, ...part }, { replace: true });
  return (
    <>
      <Intro />
      <SearchBox text={route.text} onText={(text) => change({ text })} onLeave={focusFirstRow} />
      <div class="controls">
        <ViewTabs route={route} />
        <StackChoices stack={route} onChange={change}>
          <TaskChoice value={route.task} onChange={(task) => change({ task })} />
        </StackChoices>
      </div>
      <EmulatedBanner target={route.target} />
      {value && <Summary list={value} route={route} onVerdict={(verdict) => change({ verdict })} />}
      {error && <Problem error={error} />}
      {value && <List list={value} route={route} busy={loading} />}
      {!value && loading && <Skeleton lines={10} />}
    </>
  );
}
