import { routeUrl, VIEWS, type ListRoute, type ViewName } from "../route/route.ts";

const TITLES: Record<ViewName, string> = { selected: "Selected", trending: "Trending", downloads: "Downloads" };

/// The three lists of models.
export function ViewTabs({ route }: { route: ListRoute }) {
  return (
    <nav class="tabs" aria-label="Lists">
      {VIEWS.map((view) => (
        <a key={view} href={routeUrl({ ...route, view, verdict: "", sort: "" })} aria-current={view === route.view ? "page" : undefined}>
          {TITLES[view]}
        </a>
      ))}
    </nav>
  );
}
