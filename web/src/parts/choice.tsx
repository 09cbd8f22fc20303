/// A labelled selector. `empty` is the name of the choice that asks for nothing in particular.
export function Choice(props: { label: string; value: string; options: string[]; empty?: string; onChange: (value: string) => void }) {
  const { label, value, options, empty, onChange } = props;
  const isUnknown = value !== "" && !options.includes(value);
  return (
    <label class="choice">
      <span class="choice-label">{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {empty !== undefined && <option value="">{empty}</option>}
        {isUnknown && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </label>
  );
}
