import { useEffect } from "preact/hooks";
import { ModelsPage } from "./pages/models_page.tsx";
import { lazily } from "./parts/lazily.tsx";
import type { Route } from "./route/route.ts";
import { titleOf } from "./view/title.ts";

// The first page comes with the program; the others when they are asked for.
const ModelPage = lazily(() => import("./pages/model_page.tsx").then((module) => module.ModelPage));
const ComparePage = lazily(() => import("./pages/compare_page.tsx").then((module) => module.ComparePage));
const FailuresPage = lazily(() => import("./pages/failures_page.tsx").then((module) => module.FailuresPage));
const CoveragePage = lazily(() => import("./pages/coverage_page.tsx").then((module) => module.CoveragePage));
const QueuePage = lazily(() => import("./pages/queue_page.tsx").then((module) => module.QueuePage));
const DataPage = lazily(() => import("./pages/data_page.tsx").then((module) => module.DataPage));

function pageOf(route: Route) {
  switch (route.page) {
    case "models":
      return <ModelsPage route={route} />;
    case "model":
      return <ModelPage route={route} key={route.id} />;
    case "compare":
      return <ComparePage route={route} />;
    case "failures":
      return <FailuresPage route={route} />;
    case "coverage":
      return <CoveragePage route={route} />;
    case "queue":
      return <QueuePage route={route} />;
    case "data":
      return <DataPage route={route} />;
  }
}

/// Shows a route and names the window after it.
export function Page({ route }: { route: Route }) {
  const title = titleOf(route);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return pageOf(route);
}
