import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "./problem.tsx";
import { Skeleton } from "./skeleton.tsx";

/// Makes a component whose program is loaded when it is first shown.
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Lazy(props: Props) {
    const [Component, setComponent] = useState<ComponentType<Props> | null>(() => loaded);
    const [error, setError] = useState<Error | null>(null);
    useEffect(() => {
      if (loaded) return;
      load().then((component) => {
        loaded = component;
        setComponent(() => component);
      }, setError);
    }, []);
    if (error) return <Problem error={error} />;
    return Component ? <Component {...props} /> : <Skeleton lines={6} />;
  };
}
