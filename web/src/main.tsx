import { render } from "preact";
import { App } from "./app.tsx";
import { openSource } from "./data/open_source.ts";
import { SourceContext } from "./data/source.ts";
import { Problem } from "./parts/problem.tsx";
import { followLinks } from "./route/navigation.ts";
import "./style/index.css";

const root = document.getElementById("app")!;
followLinks();
openSource(document.baseURI).then(
  (source) =>
    render(
      <SourceContext.Provider value={source}>
        <App />
      </SourceContext.Provider>,
      root,
    ),
  (error: Error) => render(<Problem error={error} />, root),
);
