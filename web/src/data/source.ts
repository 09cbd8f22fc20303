import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ListRoute, StackChoice } from "../route/route.ts";
import type {
  Column, CompareAnswer, CoverageAnswer, DataFile, FailureAnswer, FailuresAnswer, ListAnswer, ModelAnswer, QueueAnswer, StacksAnswer,
  TasksAnswer, TestRequestAnswer,
} from "./types.ts";

/// A refusal or a failure, in words for people. `status` is HTTP's; 0 when nobody answered.
export class AnswerError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/// What is asked of the queue. Without versions the target's own are meant.
export interface TestWish {
  model_id: string;
  target: string;
  transformers: string;
}

/// What a site can do beside answering.
export interface Abilities {
  /// Results arrive while one looks.
  live: boolean;
  /// There is a queue of test requests.
  queue: boolean;
  /// The whole query language works; otherwise only what static_source.ts knows.
  queries: boolean;
}

/// Where the page gets its data from: a running server, or the files of a static site. Every call may be given up by its signal,
/// and fails with an AnswerError.
export interface DataSource {
  readonly abilities: Abilities;
  models(route: ListRoute, signal: AbortSignal): Promise<ListAnswer>;
  model(id: string, stack: StackChoice, signal: AbortSignal): Promise<ModelAnswer>;
  stacks(signal: AbortSignal): Promise<StacksAnswer>;
  tasks(signal: AbortSignal): Promise<TasksAnswer>;
  compare(before: string, after: string, target: string, signal: AbortSignal): Promise<CompareAnswer>;
  failures(stack: StackChoice, signal: AbortSignal): Promise<FailuresAnswer>;
  failure(signature: string, stack: StackChoice, signal: AbortSignal): Promise<FailureAnswer>;
  coverage(target: string, signal: AbortSignal): Promise<CoverageAnswer>;
  columns(signal: AbortSignal): Promise<{ rows: Column[] }>;
  files(signal: AbortSignal): Promise<{ rows: DataFile[] }>;
  queue(signal: AbortSignal): Promise<QueueAnswer>;
  /// Asks for a test. `token` may be empty on the server's own machine.
  ask(wish: TestWish, token: string): Promise<TestRequestAnswer>;
  /// A file of the site, by its address relative to the site's root.
  fileUrl(path: string): URL;
  /// Calls `onChange` when results or the queue changed; returns how to stop.
  watch(onChange: () => void): () => void;
}

export const SourceContext = createContext<DataSource | null>(null);

/// The source that main.tsx chose.
export function useSource(): DataSource {
  const source = useContext(SourceContext);
  if (!source) throw new Error("no data source: main.tsx provides one");
  return source;
}
