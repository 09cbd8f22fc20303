import type { SqlAnswer } from "../sql/engine.ts";
import { plural } from "../view/format.ts";

/// What a query gave, as a table.
export function SqlResult({ answer }: { answer: SqlAnswer }) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Answer">
      <table class="plain sql-result">
        <caption class="muted">
          {plural(answer.total, "row")}
          {answer.total > answer.rows.length && `, the first ${answer.rows.length} shown`}
        </caption>
        <thead>
          <tr>
            {answer.columns.map((name, i) => (
              <th key={i} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {answer.rows.map((row, i) => (
            <tr key={i}>
              {row.map((value, j) => (
                <td key={j}>{value === null ? <span class="muted">null</span> : value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
