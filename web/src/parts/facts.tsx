import type { ComponentChildren } from "preact";

/// A fact's name and value; facts without a value are not shown.
export type Fact = readonly [name: string, value: ComponentChildren];

/// Facts as a list of names and values.
export function Facts({ facts }: { facts: Fact[] }) {
  const known = facts.filter(([, value]) => value !== undefined && value !== null && value !== "");
  if (known.length === 0) return null;
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
