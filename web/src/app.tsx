import { useEffect, useRef, useState } from "preact/hooks";
import { RevisionContext } from "./data/revision_context.ts";
import { useSource } from "./data/source.ts";
import { StacksContext } from "./data/stacks_context.ts";
import { useAnswer } from "./data/use_answer.ts";
import { Page } from "./page.tsx";
import { NoPage } from "./parts/no_page.tsx";
import { SiteFooter } from "./parts/site_footer.tsx";
import { SiteHeader } from "./parts/site_header.tsx";
import { useRoute } from "./route/navigation.ts";

function Frame() {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const stacks = useAnswer("stacks", (source, signal) => source.stacks(signal));
  return (
    <StacksContext.Provider value={stacks.value?.rows ?? []}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <SiteHeader page={route?.page} />
      <main ref={main} tabIndex={-1}>
        {route ? <Page route={route} /> : <NoPage />}
      </main>
      <SiteFooter />
    </StacksContext.Provider>
  );
}

/// The whole page. Answers are asked for anew when the site says that its data changed.
export function App() {
  const source = useSource();
  const [revision, setRevision] = useState(0);
  useEffect(() => source.watch(() => setRevision((before) => before + 1)), []);
  return (
    <RevisionContext.Provider value={revision}>
      <Frame />
    </RevisionContext.Provider>
  );
}
