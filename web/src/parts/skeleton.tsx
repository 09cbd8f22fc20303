/// Grey lines in the place of an answer that is on its way.
export function Skeleton({ lines }: { lines: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, i) => (
        <div key={i} class="skeleton-line" />
      ))}
    </div>
  );
}
