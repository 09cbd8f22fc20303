import type { ModelAnswer } from "../data/types.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Card } from "../parts/card.tsx";
import { EmulatedBanner } from "../parts/emulated_banner.tsx";
import { ErrorCard } from "../parts/error_card.tsx";
import { HistoryLines } from "../parts/history_lines.tsx";
import { ModelHead } from "../parts/model_head.tsx";
import { OutputCard } from "../parts/output_card.tsx";
import { PassMeaning } from "../parts/pass_meaning.tsx";
import { PlanCard } from "../parts/plan_card.tsx";
import { Problem } from "../parts/problem.tsx";
import { RelatedModels } from "../parts/related_models.tsx";
import { ReproduceCard } from "../parts/reproduce_card.tsx";
import { ShareCard } from "../parts/share_card.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { StackCard } from "../parts/stack_card.tsx";
import { TimingsCard } from "../parts/timings_card.tsx";
import { UntestedCard } from "../parts/untested_card.tsx";
import { VerdictCard } from "../parts/verdict_card.tsx";
import { VerdictMatrix } from "../parts/verdict_matrix.tsx";
import { useSource } from "../data/source.ts";
import { routeUrl, type ModelRoute } from "../route/route.ts";
import { tellingLines } from "../view/history.ts";
import { matricesOf } from "../view/matrix.ts";
import { kindOf, resultOf } from "../view/outcome.ts";

function Results({ answer }: { answer: ModelAnswer }) {
  const shown = answer.shown === null ? undefined : answer.rows[answer.shown];
  const lines = tellingLines(answer.history);
  if (answer.rows.length === 0) return null;
  return (
    <Card title="Every stack that was tried" wide>
      {matricesOf(answer.rows).map((matrix) => (
        <VerdictMatrix key={matrix.target} matrix={matrix} shown={shown} />
      ))}
      <HistoryLines lines={lines} />
    </Card>
  );
}

function Answered({ answer, route }: { answer: ModelAnswer; route: ModelRoute }) {
  const source = useSource();
  // A result on another target than the asked one is no answer to the question.
  const chosen = answer.shown === null ? undefined : answer.rows[answer.shown];
  const row = chosen && (chosen.target ?? "trn2") === route.target ? chosen : undefined;
  const script = answer.links.run_py && source.fileUrl(answer.links.run_py).href;
  return (
    <>
      <ModelHead answer={answer} />
      <EmulatedBanner target={route.target} />
      <VerdictCard row={row ?? { ...answer.model, target: route.target }} />
      <div class="cards in-columns">
        {row && <ErrorCard row={row} stack={route} />}
        {row && <ReproduceCard row={row} cacheCommand={answer.cache_command} scriptUrl={script} />}
        {!row && !answer.facts.exclusion && <UntestedCard id={route.id} />}
        <Results answer={answer} />
        {row && <OutputCard row={row} />}
        {row && <PlanCard row={row} />}
        {row && <TimingsCard row={row} />}
        {row && <StackCard row={row} />}
        <RelatedModels rows={answer.related} architecture={row?.model_type} stack={route} />
        {row && kindOf(resultOf(row)) === "pass" && <PassMeaning />}
        {row && !answer.facts.local && <ShareCard answer={answer} />}
      </div>
    </>
  );
}

/// Everything that is known about one model.
export function ModelPage({ route }: { route: ModelRoute }) {
  const { value, loading, error } = useAnswer(routeUrl(route), (source, signal) => source.model(route.id, route, signal));
  return (
    <>
      <nav class="crumbs" aria-label="Where you are">
        <a href="./">Models</a>
      </nav>
      {error && <Problem error={error} />}
      {value && <Answered answer={value} route={route} />}
      {!value && loading && <Skeleton lines={8} />}
    </>
  );
}
