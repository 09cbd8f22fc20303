import type { ComponentChildren } from "preact";
import { useStacks } from "../data/stacks_context.ts";
import type { StackChoice } from "../route/route.ts";
import { stackChoices } from "../view/stacks.ts";
import { Choice } from "./choice.tsx";

/// The selectors for target, neuronx-cc and Transformers, after others that the page has. Another target brings other versions, so it clears them.
export function StackChoices(props: { stack: StackChoice; onChange: (stack: StackChoice) => void; children?: ComponentChildren }) {
  const { stack, onChange, children } = props;
  const { target, compiler, library } = stack;
  const choices = stackChoices(useStacks(), target);
  return (
    <div class="choices">
      {children}
      <Choice label="neuronx-cc" value={compiler} options={choices.compilers} empty="newest" onChange={(to) => onChange({ target, compiler: to, library })} />
      <Choice label="Transformers" value={library} options={choices.libraries} empty="newest" onChange={(to) => onChange({ target, compiler, library: to })} />
      <Choice label="Target" value={target} options={choices.targets} onChange={(to) => onChange({ target: to, compiler: "", library: "" })} />
    </div>
  );
}
