import type { Row } from "../data/types.ts";
import { kindOf, resultOf } from "../view/outcome.ts";
import { Card } from "./card.tsx";
import { Command, PythonCode } from "./code_block.tsx";
import { CopyButton } from "./copy_button.tsx";
import { Icon } from "./icon.tsx";

function Script({ script, url }: { script: string; url: string | null }) {
  return (
    <>
      <div class="script-head">
        <b>run.py</b>
        <span class="muted">starts its own ranks: no torchrun</span>
        <span class="spacer" />
        <CopyButton text={script} label="run.py" />
        {url && (
          <a class="button small" href={url} download="run.py">
            <Icon name="download" /> Download
          </a>
        )}
      </div>
      <PythonCode script={script} label="run.py" />
    </>
  );
}

/// How to get the same result on one's own device: packages, compiled graphs, script. Parts that are not known do not appear.
export function ReproduceCard({ row, cacheCommand, scriptUrl }: { row: Row; cacheCommand: string; scriptUrl: string | null }) {
  if (!row.run_py && !cacheCommand && !row.package_lock) return null;
  return (
    <Card title="Run it yourself" wide>
      {row.package_lock && (
        <details class="packages">
          <summary>Packages of the run: {row.package_lock.trim().split("\n").length}</summary>
          <Command text={row.package_lock.trim()} label="Packages as requirements.txt" />
        </details>
      )}
      {cacheCommand && !row.emulated && kindOf(resultOf(row)) !== "fail" && (
        <>
          <p>Fetch the graphs that were compiled for this stack, so that the first run skips compilation:</p>
          <Command text={cacheCommand} label="Cache command" />
        </>
      )}
      {row.run_py && (
        <>
          <p>Then run the very script that was tested:</p>
          <Command text="python3 run.py" label="Run command" />
          <Script script={row.run_py} url={scriptUrl} />
        </>
      )}
    </Card>
  );
}
