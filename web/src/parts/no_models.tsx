import { FIRST_PAGE, routeUrl, VIEWS, type ListRoute } from "../route/route.ts";
import { Notice } from "./notice.tsx";

/// Says that nothing fits, and which wider questions there are.
export function NoModels({ route }: { route: ListRoute }) {
  const { target, compiler, library } = route;
  const everywhere = routeUrl({ ...FIRST_PAGE, view: "downloads", text: route.text, target, compiler, library });
  const isNarrow = route.view !== VIEWS[2] || route.task !== "" || route.verdict !== "";
  return (
    <Notice kind="empty" title={route.text ? `No model matches “${route.text}” here` : "No models here"}>
      <p>
        {isNarrow && route.text && <a href={everywhere}>Look in all models</a>}
        {!route.text && "Lists of models come with: "}
        {!route.text && <code>willitrun rank import</code>}
      </p>
    </Notice>
  );
}
