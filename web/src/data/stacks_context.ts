import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { StackResults } from "./types.ts";

/// The stacks that have results: the whole page shares one answer. Empty until it came.
export const StacksContext = createContext<StackResults[]>([]);

export function useStacks(): StackResults[] {
  return useContext(StacksContext);
}
