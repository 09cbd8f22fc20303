import { modelPath, type ListRoute, type StackChoice } from "../route/route.ts";
import { fetchJson } from "./fetch_json.ts";
import { AnswerError, type DataSource } from "./source.ts";
import { listAnswer } from "./static_list.ts";
import { chooseShown, findStack } from "./static_stack.ts";
import type {
  Column, CompactTable, CompareAnswer, CoverageAnswer, DataFile, FailureAnswer, FailuresAnswer, ListAnswer, ModelAnswer, QueueAnswer,
  ResultIndex, Site, StackResults, StacksAnswer, TasksAnswer, TestRequestAnswer,
} from "./types.ts";

/// Reads the files of a static site (docs/formats/site.md). What a server would work out is worked out here.
export class StaticSource implements DataSource {
  readonly abilities = { live: false, queue: false, queries: false };
  readonly #files = new Map<string, Promise<unknown>>();

  constructor(
    private readonly root: string,
    private readonly site: Site,
  ) {}

  async models(route: ListRoute, signal: AbortSignal): Promise<ListAnswer> {
    const index = this.#once<CompactTable>("index");
    const stack = await this.#find(route, signal);
    const results = stack && (await this.#once<ResultIndex>(`results/${route.target}/${stack.stack.key}`));
    return listAnswer(await index, results, route);
  }

  async model(id: string, stack: StackChoice, signal: AbortSignal): Promise<ModelAnswer> {
    const answer = await this.#get<ModelAnswer>(`models/${modelPath(id)}`, signal);
    return chooseShown(answer, stack);
  }

  stacks(_signal: AbortSignal): Promise<StacksAnswer> {
    return this.#once("stacks");
  }

  tasks(_signal: AbortSignal): Promise<TasksAnswer> {
    return this.#once("tasks");
  }

  async compare(before: string, after: string, target: string, signal: AbortSignal): Promise<CompareAnswer> {
    const { rows } = await this.stacks(signal);
    const keyOf = (name: string) => rows.find((row) => row.target === target && row.stack.name === name)?.stack.key;
    const [a, b] = [keyOf(before), keyOf(after)];
    const found = this.site.comparisons.find((pair) => pair.target === target && pair.before === a && pair.after === b);
    if (!found) throw new AnswerError(404, `this copy of the site has no comparison of ${before} with ${after}: it keeps those of the newest stacks, older before newer`);
    return fetchJson(this.fileUrl(found.file), signal);
  }

  async failures(stack: StackChoice, signal: AbortSignal): Promise<FailuresAnswer> {
    const found = await this.#find(stack, signal);
    if (!found) return { target: stack.target, stack: "", rows: [] };
    return this.#get(`failures/${stack.target}/${found.stack.key}`, signal);
  }

  async failure(key: string, stack: StackChoice, signal: AbortSignal): Promise<FailureAnswer> {
    const found = await this.#find(stack, signal);
    if (!found) throw new AnswerError(404, `no results on ${stack.target}`);
    return this.#get(`failures/${stack.target}/${found.stack.key}/${encodeURIComponent(key)}`, signal);
  }

  async coverage(target: string, signal: AbortSignal): Promise<CoverageAnswer> {
    const found = await this.#find({ target, compiler: "", library: "" }, signal);
    if (!found) return { target, stack: "", tasks: [], over_stacks: [] };
    return this.#get(`coverage/${target}/${found.stack.key}`, signal);
  }

  columns(_signal: AbortSignal): Promise<{ rows: Column[] }> {
    return this.#once("columns");
  }

  files(_signal: AbortSignal): Promise<{ rows: DataFile[] }> {
    return this.#once("files");
  }

  queue(_signal: AbortSignal): Promise<QueueAnswer> {
    return Promise.reject(new AnswerError(404, "this copy of the site takes no requests"));
  }

  ask(): Promise<TestRequestAnswer> {
    return Promise.reject(new AnswerError(404, "this copy of the site takes no requests"));
  }

  fileUrl(path: string): URL {
    return new URL(path, this.root);
  }

  watch(): () => void {
    return () => {};
  }

  async #find(choice: StackChoice, signal: AbortSignal): Promise<StackResults | null> {
    return findStack((await this.stacks(signal)).rows, choice);
  }

  #get<T>(path: string, signal: AbortSignal): Promise<T> {
    return fetchJson<T>(this.fileUrl(`api/v1/${path}.json`), signal);
  }

  /// Files that many answers need are read once. A failure is not kept.
  #once<T>(path: string): Promise<T> {
    const known = this.#files.get(path) ?? this.#get<T>(path, new AbortController().signal);
    this.#files.set(path, known);
    known.catch(() => this.#files.delete(path));
    return known as Promise<T>;
  }
}
