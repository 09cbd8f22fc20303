import { createContext } from "preact";

/// A number that grows when the site's data changed: every answer is then asked for anew.
export const RevisionContext = createContext(0);
