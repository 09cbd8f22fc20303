import { useStacks } from "../data/stacks_context.ts";
import type { ChangedModel, CompareAnswer } from "../data/types.ts";
import { useAnswer } from "../data/use_answer.ts";
import { Choice } from "../parts/choice.tsx";
import { DownloadText } from "../parts/download_text.tsx";
import { EmulatedBanner } from "../parts/emulated_banner.tsx";
import { Notice } from "../parts/notice.tsx";
import { OutcomeText } from "../parts/outcome_text.tsx";
import { PageHead } from "../parts/page_head.tsx";
import { Problem } from "../parts/problem.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { StackPicker } from "../parts/stack_picker.tsx";
import { go } from "../route/navigation.ts";
import { modelUrl, routeUrl, type CompareRoute } from "../route/route.ts";
import { changeClasses, changedModels, rerunScript, type ChangeClass } from "../view/changes.ts";
import { count, percent, plural } from "../view/format.ts";
import { stackChoices, stackNames } from "../view/stacks.ts";

function ClassTile({ kind, route }: { kind: ChangeClass; route: CompareRoute }) {
  const body = (
    <>
      <b class="tile-count">{kind.models}</b>
      <span class="tile-title">{kind.title}</span>
      <span class="muted">{kind.meaning}</span>
      {kind.downloads > 0 && <span class="muted">{count(kind.downloads)} downloads</span>}
    </>
  );
  const name = `tile change-${kind.name}${kind.models === 0 ? " is-zero" : ""}`;
  if (!kind.listed) return <div class={name}>{body}</div>;
  const isChosen = route.change === kind.name;
  return (
    <a class={name} href={routeUrl({ ...route, change: isChosen ? "" : kind.name })} aria-current={isChosen ? "true" : undefined}>
      {body}
    </a>
  );
}

function ChangedRow({ model, answer }: { model: ChangedModel; answer: CompareAnswer }) {
  const [compiler = "", library = ""] = answer.after.split("/");
  return (
    <tr>
      <th scope="row">
        <a href={modelUrl(model.model_id, { target: answer.target, compiler, library })}>{model.model_id}</a>
      </th>
      <td>{model.change.replaceAll("_", " ")}</td>
      <td>
        <OutcomeText outcome={model.before} />
      </td>
      <td>
        <OutcomeText outcome={model.after} />
      </td>
      <td class="number">{count(model.downloads)}</td>
    </tr>
  );
}

function Changes({ answer, route }: { answer: CompareAnswer; route: CompareRoute }) {
  const models = changedModels(answer, route.change);
  return (
    <>
      <p class="compare-sentence">
        {plural(answer.compared, "model")} compared. <b>{percent(answer.indeterminate_share)} indeterminate</b>
        <span class="muted">: about these nothing can be said.</span>
      </p>
      <div class="tiles">
        {changeClasses(answer).map((kind) => (
          <ClassTile key={kind.name} kind={kind} route={route} />
        ))}
      </div>
      {models.length === 0 ? (
        <Notice kind="empty" title="Nothing changed between these stacks" />
      ) : (
        <>
          <div class="table-head">
            <h2>{plural(models.length, "model")}</h2>
            <DownloadText text={rerunScript(models, answer.target)} name="rerun.sh" title="Script to test these again" />
          </div>
          <div class="scroll" tabIndex={0} role="group" aria-label="Changed models">
            <table class="plain">
              <thead>
                <tr>
                  <th scope="col">Model</th>
                  <th scope="col">Change</th>
                  <th scope="col">{answer.before}</th>
                  <th scope="col">{answer.after}</th>
                  <th scope="col" class="number">
                    Downloads
                  </th>
                </tr>
              </thead>
              <tbody>
                {models.map((model) => (
                  <ChangedRow key={model.model_id} model={model} answer={answer} />
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </>
  );
}

function Compared({ route }: { route: CompareRoute }) {
  const { before, after, target } = route;
  const { value, loading, error } = useAnswer(`${target} ${before} ${after}`, (source, signal) => source.compare(before, after, target, signal));
  if (error) return <Problem error={error} />;
  if (value) return <Changes answer={value} route={route} />;
  return loading ? <Skeleton lines={6} /> : null;
}

/// Two stacks side by side. Without a choice the two newest of the target.
export function ComparePage({ route }: { route: CompareRoute }) {
  const rows = useStacks();
  const names = stackNames(rows, route.target);
  const shown = { ...route, before: route.before || (names[1] ?? ""), after: route.after || (names[0] ?? "") };
  const change = (part: Partial<CompareRoute>) => go({ ...shown, change: "", ...part }, { replace: true });
  return (
    <>
      <PageHead title="Compare two stacks">What broke, what got fixed, and how much of it can be trusted.</PageHead>
      <div class="controls">
        <div class="choices">
          <StackPicker label="Before" value={shown.before} names={names} onChange={(before) => change({ before })} />
          <StackPicker label="After" value={shown.after} names={names} onChange={(after) => change({ after })} />
          <Choice label="Target" value={route.target} options={stackChoices(rows, route.target).targets} onChange={(target) => change({ target, before: "", after: "" })} />
        </div>
      </div>
      <EmulatedBanner target={route.target} />
      {shown.before && shown.after && <Compared route={shown} />}
      {rows.length > 0 && names.length < 2 && !route.before && (
        <Notice kind="empty" title={`There are fewer than two stacks on ${route.target}`}>
          <p>A comparison needs results on two.</p>
        </Notice>
      )}
    </>
  );
}
