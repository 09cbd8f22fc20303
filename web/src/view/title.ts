import type { Route } from "../route/route.ts";

/// The name of a page: what tabs, bookmarks and screen readers say.
export function titleOf(route: Route): string {
  switch (route.page) {
    case "models":
      return route.text ? `${route.text} · willitrun` : "willitrun: does it run on Trainium?";
    case "model":
      return `${route.id} · willitrun`;
    case "compare":
      return route.before && route.after ? `${route.before} → ${route.after} · willitrun` : "Compare stacks · willitrun";
    case "failures":
      return route.cluster ? `Failure ${route.cluster} · willitrun` : "Failures · willitrun";
    case "coverage":
      return "Coverage · willitrun";
    case "queue":
      return "Test requests · willitrun";
    case "data":
      return "The data · willitrun";
  }
}
