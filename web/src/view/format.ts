/// Numbers as people read them. One form for each unit, everywhere.

const GIB = 2 ** 30;

/// 25235903 -> "25.2M".
export function count(value: number): string {
  for (const [size, letter] of [[1e9, "B"], [1e6, "M"], [1e3, "k"]] as const) {
    if (value >= size) {
      const scaled = value / size;
      return `${scaled >= 100 ? Math.round(scaled) : scaled.toFixed(1)}${letter}`;
    }
  }
  return String(value);
}

/// 15904 -> "15,904".
export function exactCount(value: number): string {
  return value.toLocaleString("en-US");
}

/// "1 model", "2 models".
export function plural(value: number, noun: string): string {
  return `${exactCount(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/// 212 -> "3 min 32 s"; below a minute with one decimal, below a second with two.
export function seconds(value: number): string {
  if (value < 1) return `${value.toFixed(2)} s`;
  if (value < 60) return `${value.toFixed(Number.isInteger(value) ? 0 : 1)} s`;
  const whole = Math.round(value);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/// Bytes in GiB, or a smaller unit when there is less than a tenth of one.
export function bytes(value: number): string {
  if (value >= 0.1 * GIB) return `${(value / GIB).toFixed(value >= 10 * GIB ? 1 : 2)} GiB`;
  if (value >= 2 ** 20) return `${Math.round(value / 2 ** 20)} MiB`;
  return value >= 1024 ? `${Math.round(value / 1024)} KiB` : `${value} bytes`;
}

/// A share between 0 and 1, with one decimal below 10 %. Something is never shown as nothing, nor less than all as all.
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.1) return "< 0.1 %";
  if (value < 100 && value > 99.9) return "> 99.9 %";
  return `${value < 10 || value > 99 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)} %`;
}

/// The day of an ISO time.
export function day(time: string): string {
  return time.slice(0, 10);
}
