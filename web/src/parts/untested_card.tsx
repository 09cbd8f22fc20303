import { useSource } from "../data/source.ts";
import { routeUrl } from "../route/route.ts";
import { Card } from "./card.tsx";
import { Command } from "./code_block.tsx";

/// What one can do about a model that nobody has tested.
export function UntestedCard({ id }: { id: string }) {
  const { abilities } = useSource();
  return (
    <Card title="Find out" wide>
      <p>Does it fit, without any device?</p>
      <Command text={`willitrun plan ${id}`} label="Plan command" />
      <p>Does it run, on your own device?</p>
      <Command text={`willitrun test ${id}`} label="Test command" />
      {abilities.queue && (
        <p>
          <a class="button" href={routeUrl({ page: "queue", model: id })}>
            Ask for a test
          </a>
        </p>
      )}
    </Card>
  );
}
