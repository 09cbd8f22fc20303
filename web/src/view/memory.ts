import type { Row } from "../data/types.ts";

/// Memory of the fullest core, in bytes, as far as it is known.
export interface Memory {
  planned?: number;
  peak?: number;
  capacity: number;
}

/// Reads a row's memory; files of others give it in 10^9 bytes. Nothing without a capacity to compare with.
export function memoryOf(row: Row): Memory | null {
  const capacity = row.capacity_bytes_per_core ?? (row.hbm_capacity_gb === undefined ? undefined : row.hbm_capacity_gb * 1e9);
  const peak = row.peak_bytes_per_core ?? (row.hbm_peak_gb === undefined ? undefined : row.hbm_peak_gb * 1e9);
  const planned = row.planned_bytes_per_core;
  if (!capacity || (peak === undefined && planned === undefined)) return null;
  return { capacity, ...(peak === undefined ? {} : { peak }), ...(planned === undefined ? {} : { planned }) };
}

/// A share of the capacity, cut at 1 so that a bar never leaves its frame.
export function shareOf(value: number, capacity: number): number {
  return Math.max(0, Math.min(1, value / capacity));
}
