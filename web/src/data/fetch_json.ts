import { AnswerError } from "./source.ts";

/// The server's own words about a failure, when it sent some.
async function messageOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const message = (body as { error?: { message?: unknown } } | null)?.error?.message;
  return typeof message === "string" ? message : `the server answered with status ${response.status}`;
}

/// Sends a request; anything but success is an AnswerError. A request that was given up rejects as fetch does.
export async function request(url: URL, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options).catch((error: Error) => {
    if (error.name === "AbortError") throw error;
    throw new AnswerError(0, "the server cannot be reached");
  });
  if (!response.ok) throw new AnswerError(response.status, await messageOf(response));
  return response;
}

/// Gets a JSON document.
export async function fetchJson<T>(url: URL, signal: AbortSignal): Promise<T> {
  const response = await request(url, { signal, headers: { Accept: "application/json" } });
  return (await response.json()) as T;
}
