import { Choice } from "./choice.tsx";

/// Chooses one stack by its name.
export function StackPicker({ label, value, names, onChange }: { label: string; value: string; names: string[]; onChange: (name: string) => void }) {
  return <Choice label={label} value={value} options={names} {...(value === "" ? { empty: "choose" } : {})} onChange={onChange} />;
}
