/// Small drawings in the colour of the text around them. They only repeat what a word says, so screen readers skip them.

const PATHS = {
  pass: "M3.5 8.5l3 3 6-7",
  fail: "M4.5 4.5l7 7m0-7l-7 7",
  too_large: "M3 13h10M4.5 13V7.5h7V13M8 5.5V2.5M6 4.2L8 2.3l2 1.9",
  excluded: "M8 2.5a5.5 5.5 0 100 11 5.5 5.5 0 000-11zM4.2 4.2l7.6 7.6",
  untested: "M8 8h.01",
  flaky: "M2.5 10c1.8-6 3.4-6 5.5-2s3.7 4 5.5-2",
  indeterminate: "M6 6a2 2 0 113 1.8c-.7.4-1 .8-1 1.7M8 12.2h.01",
  predicted: "M8 2.5l1.4 4.1 4.1 1.4-4.1 1.4L8 13.5 6.6 9.4 2.5 8l4.1-1.4z",
  other: "M3 5.5h10M3 8h10M3 10.5h6",
  search: "M7 2.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9zM10.3 10.3L13.5 13.5",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  check: "M3.5 8.5l3 3 6-7",
  download: "M8 2.5v7.5M4.8 7L8 10.2 11.2 7M3 13.5h10",
  up: "M4.5 9.5L8 6l3.5 3.5",
  down: "M4.5 6.5L8 10l3.5-3.5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  );
}
