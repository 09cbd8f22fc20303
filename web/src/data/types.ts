/// What the API and the static site answer: docs/cli.md and the server's openapi.json. Fields that are not known are left out.

/// A result row. The names are the dataset's (src/domain/row_columns.cpp explains each).
export interface Row {
  model_id: string;
  task?: string;
  model_type?: string;
  target?: string;
  emulated?: boolean;
  verdict?: string;
  result?: string;
  evidence?: string;
  notes?: string;
  error?: string;
  exclusion?: string;
  exclusion_kind?: string;
  stage?: string;
  class?: string;
  signature?: string;
  reached?: string;
  charged_to?: string;
  mode?: string;
  cores?: number;
  tp?: number;
  attempts?: number;
  wall_s?: number;
  download_s?: number;
  load_s?: number;
  compile_s?: number;
  first_token_s?: number;
  tokens_per_s?: number;
  warm_s?: number;
  cache_hits?: number;
  cache_misses?: number;
  graphs?: number;
  fallback_ops?: string[];
  planned_bytes_per_core?: number;
  peak_bytes_per_core?: number;
  capacity_bytes_per_core?: number;
  hbm_peak_gb?: number;
  hbm_capacity_gb?: number;
  tested_at?: string;
  library?: string;
  library_version?: string;
  neuronx_cc?: string;
  transformers?: string;
  accelerate?: string;
  torch_neuronx?: string;
  torch?: string;
  nki?: string;
  python?: string;
  neuron_driver?: string;
  neuron_cc_flags?: string;
  model_revision?: string;
  package_lock?: string;
  script_sha256?: string;
  sandboxed?: boolean;
  remote_code?: boolean;
  prompt?: string;
  text?: string;
  reference_text?: string;
  tokens?: number[];
  reference_tokens?: number[];
  first_mismatch?: number;
  margin?: number;
  max_logit_difference?: number;
  judge_score?: number;
  cpu_match?: string;
  english?: string;
  run_py?: string;
  downloads?: number;
  downloads_rank?: number;
  trending_rank?: number;
}

/// Versions of a stack; empty where a part is absent. `name` is `<neuronx-cc>/<Transformers>`, `key` the same for file names.
export interface Stack {
  name: string;
  key: string;
  neuronx_cc: string;
  library: string;
  library_version: string;
  transformers: string;
  accelerate: string;
  torch_neuronx: string;
  torch: string;
  nki: string;
  python: string;
  neuron_driver: string;
  neuron_cc_flags: string;
}

/// A stack that has results on a target.
export interface StackResults {
  target: string;
  emulated: boolean;
  stack: Stack;
  models: number;
  passed: number;
  newest: string | null;
}

export interface StacksAnswer {
  rows: StackResults[];
  targets: { name: string; results: number }[];
  default_target: string;
}

export interface TasksAnswer {
  rows: { task: string; models: number; tested: number }[];
}

export interface CoveragePart {
  verdict: string;
  models: number;
  downloads: number;
}

/// What share of real use a list speaks for; untested models count too.
export interface Coverage {
  models: number;
  downloads: number;
  pass_share_of_downloads: number;
  verdicts: CoveragePart[];
}

/// A page of a view.
export interface ListAnswer {
  rows: Row[];
  total: number;
  next: string | null;
  stack: Stack | null;
  target: string;
  relaxed: boolean;
  coverage: Coverage;
}

export interface Transition {
  first_stack: string;
  last_stack: string;
  results: number;
  verdict: string;
  evidence: string;
  stage: string;
  class: string;
  signature: string;
}

/// What became of a model along a line of stacks of which one part stays.
export interface HistoryLine {
  target: string;
  axis: string;
  fixed: string;
  works_since: string | null;
  since_first_result: boolean;
  last_good: string | null;
  first_bad: string | null;
  inconclusive: number;
  transitions: Transition[];
}

/// What is known about a model, tested or not.
export interface ModelFacts {
  task: string | null;
  license: string | null;
  downloads: number | null;
  downloads_rank: number | null;
  trending_rank: number | null;
  likes: number | null;
  parameters: number | null;
  gated: boolean;
  removed: boolean;
  local: boolean;
  exclusion: string | null;
  exclusion_kind: string | null;
}

/// Everything that is known about one model. `stacks` has the stack of each row; addresses in `links` are relative to the site's
/// root. `rows` has the asked target first, newest stack first; `shown` is the asked one.
export interface ModelAnswer {
  model: Row;
  facts: ModelFacts;
  shown: number | null;
  rows: Row[];
  stacks: Stack[];
  history: HistoryLine[];
  cache_command: string;
  related: Row[];
  links: { run_py: string | null; badge: string; feed: string; hub: string | null };
}

export interface Outcome {
  verdict: string;
  evidence: string;
  stage: string;
  class: string;
  signature: string;
}

export interface ChangedModel {
  model_id: string;
  change: string;
  downloads: number;
  before: Outcome;
  after: Outcome;
}

export interface CompareAnswer {
  target: string;
  before: string;
  after: string;
  compared: number;
  indeterminate_share: number;
  classes: Record<string, { models: number; downloads: number }>;
  models: ChangedModel[];
}

export interface FailureCluster {
  signature: string;
  key: string;
  stage: string;
  class: string;
  downloads: number;
  first_seen: string | null;
  stacks: string[];
  models: { model_id: string; downloads: number }[];
}

export interface FailuresAnswer {
  target: string;
  stack: string;
  rows: FailureCluster[];
}

export interface FailureAnswer {
  target: string;
  stack: string;
  cluster: FailureCluster;
  rows: Row[];
}

/// Shares per task (null: all together) on one stack, and of all together from stack to stack, old to new.
export interface CoverageAnswer {
  target: string;
  stack: string;
  tasks: { task: string | null; coverage: Coverage }[];
  over_stacks: { stack: Stack; newest: string | null; coverage: Coverage }[];
}

export interface TestRequest {
  id: number;
  model_id: string;
  target: string;
  transformers: string;
  votes: number;
  position: number | null;
  state: "waiting" | "running" | "done";
  requested_at: string;
}

export interface QueueAnswer {
  rows: TestRequest[];
  total: number;
  may_ask: boolean;
}

export interface TestRequestAnswer {
  created: boolean;
  request: TestRequest;
}

/// A column of the dataset.
export interface Column {
  name: string;
  type: string;
  meaning: string;
  origin: "public" | "ours";
}

/// A Parquet file; the path is relative to the site's root.
export interface DataFile {
  path: string;
  target: string;
  kind: "verdicts" | "attempts";
  bytes: number;
  sha256: string;
}

/// Arrays in the order of `columns`: all models, or the results of one stack (`model` is the place of the model).
export interface CompactTable {
  columns: string[];
  rows: (string | number | boolean | null)[][];
}

export interface ResultIndex extends CompactTable {
  target: string;
  stack: Stack | null;
}

/// What kind of site this is.
export interface Site {
  mode: "live" | "static";
  version: string;
  default_target: string;
  models: number;
  results: number;
  queue: boolean;
  comparisons: { target: string; before: string; after: string; file: string }[];
}
