import { Notice } from "./notice.tsx";

/// Stands where no page has the address.
export function NoPage() {
  return (
    <Notice kind="error" title="There is no such page">
      <p>
        <a href="./">To the models</a>
      </p>
    </Notice>
  );
}
