import { useEffect, useState } from "preact/hooks";
import { parseRoute, routeUrl, type Route } from "./route.ts";

/// The name of the event by which pages hear that the address changed without a page load.
const MOVED = "willitrun:moved";

/// The route of an address, or nothing when it is no page of this site. The document's base is the site's root.
function routeOf(address: { origin: string; pathname: string; search: string }): Route | null {
  const root = new URL(".", document.baseURI);
  if (address.origin !== root.origin || !address.pathname.startsWith(root.pathname)) return null;
  return parseRoute(address.pathname.slice(root.pathname.length), address.search);
}

/// Goes to a route. `replace` is for typing and the like: states that nobody wants to step back through.
export function go(route: Route, options: { replace?: boolean } = {}): void {
  const url = new URL(routeUrl(route), document.baseURI);
  if (options.replace) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  dispatchEvent(new Event(MOVED));
  if (!options.replace) scrollTo(0, 0);
}

/// The route of the present address, kept up to date; nothing when no page has it.
export function useRoute(): Route | null {
  const [, setAddress] = useState(location.href);
  useEffect(() => {
    const update = () => setAddress(location.href);
    addEventListener(MOVED, update);
    addEventListener("popstate", update);
    return () => {
      removeEventListener(MOVED, update);
      removeEventListener("popstate", update);
    };
  }, []);
  return routeOf(location);
}

function routeOfClick(event: MouseEvent): Route | null {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!isPlain || event.defaultPrevented || !link || link.target || link.hasAttribute("download")) return null;
  return routeOf(link);
}

/// Follows links between pages without loading the program anew.
export function followLinks(): void {
  // A relative base would move with the address.
  const base = document.querySelector("base");
  if (base) base.href = document.baseURI;
  document.addEventListener("click", (event) => {
    const route = routeOfClick(event);
    if (!route) return;
    event.preventDefault();
    go(route);
  });
}
