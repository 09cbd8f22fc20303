import { percent } from "../view/format.ts";
import { gridOf, labelledAt, pointsOf, topOf, type PlotFrame } from "../view/plot.ts";

const FRAME: PlotFrame = { left: 48, right: 700, top: 14, bottom: 210 };

/// Labels that fit beside each other.
const LABEL_ROOM = 5;

/// A line of shares from stack to stack. The same numbers follow as a table for those who do not see it.
export function SharePlot({ title, values }: { title: string; values: { label: string; share: number }[] }) {
  const top = topOf(values.map((value) => value.share));
  const points = pointsOf(values, top, FRAME);
  const labelled = labelledAt(points.length, LABEL_ROOM);
  const line = points.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(" ");
  return (
    <figure class="plot">
      <svg viewBox="0 0 760 250" role="img" aria-label={title}>
        {gridOf(top).map((share) => {
          const y = FRAME.bottom - (FRAME.bottom - FRAME.top) * (share / top);
          return (
            <g key={share}>
              <line class="plot-grid" x1={FRAME.left} x2={FRAME.right} y1={y} y2={y} />
              <text class="plot-text" x={FRAME.left - 8} y={y + 4} text-anchor="end">
                {percent(share)}
              </text>
            </g>
          );
        })}
        {points.length > 1 && <polyline class="plot-line" points={line} />}
        {points.map((point, i) => (
          <g key={point.label}>
            <circle class="plot-point" cx={point.x} cy={point.y} r="4.5">
              <title>{`${point.label}: ${percent(point.share)}`}</title>
            </circle>
            {labelled.has(i) && (
              <text class="plot-text" x={point.x} y={FRAME.bottom + 24} text-anchor={i === 0 && points.length > 1 ? "start" : i === points.length - 1 && i > 0 ? "end" : "middle"}>
                {point.label}
              </text>
            )}
          </g>
        ))}
      </svg>
    </figure>
  );
}
