import { searchOf } from "../route/query.ts";
import { modelPath, type ListRoute, type StackChoice } from "../route/route.ts";
import { fetchJson, request } from "./fetch_json.ts";
import type { DataSource, TestWish } from "./source.ts";
import type {
  Column, CompareAnswer, CoverageAnswer, DataFile, FailureAnswer, FailuresAnswer, ListAnswer, ModelAnswer, QueueAnswer, Site,
  StacksAnswer, TasksAnswer, TestRequestAnswer,
} from "./types.ts";

type Parameters = Record<string, string | number>;

function stackParameters(stack: StackChoice): Parameters {
  return { target: stack.target, neuronx_cc: stack.compiler, transformers: stack.library };
}

/// Asks a running server (openapi.json).
export class ApiSource implements DataSource {
  readonly abilities;

  /// `root`: the site's own address; the API lies below it.
  constructor(
    private readonly root: string,
    site: Site,
  ) {
    this.abilities = { live: true, queue: site.queue, queries: true };
  }

  models(route: ListRoute, signal: AbortSignal): Promise<ListAnswer> {
    const { q, where } = searchOf(route);
    return this.#get("models", { view: route.view, task: route.task, q, where, limit: route.count, ...stackParameters(route) }, signal);
  }

  model(id: string, stack: StackChoice, signal: AbortSignal): Promise<ModelAnswer> {
    return this.#get(`models/${modelPath(id)}`, stackParameters(stack), signal);
  }

  stacks(signal: AbortSignal): Promise<StacksAnswer> {
    return this.#get("stacks", {}, signal);
  }

  tasks(signal: AbortSignal): Promise<TasksAnswer> {
    return this.#get("tasks", {}, signal);
  }

  compare(before: string, after: string, target: string, signal: AbortSignal): Promise<CompareAnswer> {
    return this.#get("compare", { a: before, b: after, target }, signal);
  }

  failures(stack: StackChoice, signal: AbortSignal): Promise<FailuresAnswer> {
    return this.#get("failures", stackParameters(stack), signal);
  }

  failure(signature: string, stack: StackChoice, signal: AbortSignal): Promise<FailureAnswer> {
    return this.#get(`failures/${encodeURIComponent(signature)}`, stackParameters(stack), signal);
  }

  coverage(target: string, signal: AbortSignal): Promise<CoverageAnswer> {
    return this.#get("coverage", { target }, signal);
  }

  columns(signal: AbortSignal): Promise<{ rows: Column[] }> {
    return this.#get("columns", {}, signal);
  }

  files(signal: AbortSignal): Promise<{ rows: DataFile[] }> {
    return this.#get("files", {}, signal);
  }

  queue(signal: AbortSignal): Promise<QueueAnswer> {
    return this.#get("queue", {}, signal);
  }

  async ask(wish: TestWish, token: string): Promise<TestRequestAnswer> {
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (token) headers.Authorization = `Bearer ${token}`;
    const body = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== ""));
    const response = await request(this.fileUrl("api/v1/queue"), { method: "POST", headers, body: JSON.stringify(body) });
    return (await response.json()) as TestRequestAnswer;
  }

  fileUrl(path: string): URL {
    return new URL(path, this.root);
  }

  watch(onChange: () => void): () => void {
    const events = new EventSource(this.fileUrl("api/v1/events"));
    // The first event of each kind only tells the present state.
    const seen = new Set<string>();
    for (const kind of ["snapshot", "queue"])
      events.addEventListener(kind, () => (seen.has(kind) ? onChange() : seen.add(kind)));
    return () => events.close();
  }

  #get<T>(path: string, parameters: Parameters, signal: AbortSignal): Promise<T> {
    const url = this.fileUrl(`api/v1/${path}`);
    for (const [name, value] of Object.entries(parameters)) if (value !== "") url.searchParams.set(name, String(value));
    return fetchJson<T>(url, signal);
  }
}
