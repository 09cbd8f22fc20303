import { useSource } from "../data/source.ts";
import type { Route } from "../route/route.ts";

const PAGES: { page: Route["page"]; title: string; url: string }[] = [
  { page: "models", title: "Models", url: "./" },
  { page: "failures", title: "Failures", url: "failures/" },
  { page: "compare", title: "Compare", url: "compare/" },
  { page: "coverage", title: "Coverage", url: "coverage/" },
  { page: "queue", title: "Requests", url: "queue/" },
  { page: "data", title: "Data", url: "data/" },
];

/// The name of the site and its pages. A site without a queue does not offer one.
export function SiteHeader({ page }: { page: Route["page"] | undefined }) {
  const { abilities } = useSource();
  const shownPage = page === "model" ? "models" : page;
  const shown = PAGES.filter((entry) => entry.page !== "queue" || abilities.queue);
  return (
    <header class="site-header">
      <a class="wordmark" href="./">
        will<b>it</b>run
      </a>
      <nav aria-label="Pages">
        {shown.map((entry) => (
          <a key={entry.page} href={entry.url} aria-current={entry.page === shownPage ? "page" : undefined}>
            {entry.title}
          </a>
        ))}
      </nav>
    </header>
  );
}
