/// The numbers behind a line plot of shares.

export interface PlotPoint {
  x: number;
  y: number;
  label: string;
  share: number;
}

/// Where things lie, in the plot's own units.
export interface PlotFrame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/// The largest share that the plot must show: a round one above all values, so that small shares can be told apart.
export function topOf(shares: number[]): number {
  const most = Math.max(0, ...shares);
  return [0.05, 0.1, 0.2, 0.5, 1].find((top) => most <= top) ?? 1;
}

/// Lines to read heights by: five of them, from nothing to the top.
export function gridOf(top: number): number[] {
  return [0, 0.25, 0.5, 0.75, 1].map((part) => part * top);
}

/// Places shares from left to right at equal distances. A single one lies in the middle.
export function pointsOf(values: { label: string; share: number }[], top: number, frame: PlotFrame): PlotPoint[] {
  const width = frame.right - frame.left;
  return values.map(({ label, share }, i) => ({
    label,
    share,
    x: values.length === 1 ? frame.left + width / 2 : frame.left + (width * i) / (values.length - 1),
    y: frame.bottom - (frame.bottom - frame.top) * (share / top),
  }));
}

/// Which labels to write so that they do not run into each other: the last one always, others at equal steps before it.
export function labelledAt(count: number, room: number): Set<number> {
  const step = Math.max(1, Math.ceil(count / Math.max(1, room)));
  const places = new Set<number>();
  for (let i = count - 1; i >= 0; i -= step) places.add(i);
  return places;
}
