import type { ModelAnswer, ModelFacts } from "../data/types.ts";
import { count, exactCount } from "../view/format.ts";

function parameterText(parameters: number | null): string {
  return parameters ? `${count(parameters)} parameters` : "";
}

function sentenceOf(facts: ModelFacts): string {
  return [
    facts.task,
    parameterText(facts.parameters),
    facts.downloads !== null && `${exactCount(facts.downloads)} downloads in 30 days`,
    facts.downloads_rank !== null && `place ${exactCount(facts.downloads_rank)} by downloads`,
    facts.trending_rank !== null && `place ${exactCount(facts.trending_rank)} by trend`,
    facts.license && `licence ${facts.license}`,
    facts.gated && "gated: ask its owner for access",
    facts.removed && "removed from the Hub",
    facts.local && "a local model",
  ]
    .filter(Boolean)
    .join(" · ");
}

/// A model's name and what is known of it whether tested or not.
export function ModelHead({ answer }: { answer: ModelAnswer }) {
  const id = answer.model.model_id;
  const slash = id.indexOf("/") + 1;
  return (
    <div class="model-head">
      <h1>
        <span class="owner">{id.slice(0, slash)}</span>
        {id.slice(slash)}
      </h1>
      <p class="muted">{sentenceOf(answer.facts)}</p>
      {answer.links.hub && (
        <p>
          <a href={answer.links.hub} rel="noreferrer">
            The model on the Hub
          </a>
        </p>
      )}
    </div>
  );
}
