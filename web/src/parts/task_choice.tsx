import { useAnswer } from "../data/use_answer.ts";
import { Choice } from "./choice.tsx";

/// The selector for the task.
export function TaskChoice({ value, onChange }: { value: string; onChange: (task: string) => void }) {
  const tasks = useAnswer("tasks", (source, signal) => source.tasks(signal));
  return <Choice label="Task" value={value} options={(tasks.value?.rows ?? []).map((row) => row.task)} empty="all tasks" onChange={onChange} />;
}
