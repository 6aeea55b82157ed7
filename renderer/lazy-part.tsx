// Components whose code is loaded when they are first shown, or before.
import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { ApiError } from './api/client.ts';

/** The code of a component, in a file of its own. */
export interface LazyPart<Props> {
  /** Loads the file unless it is loaded. A load that failed can be repeated. */
  load(): Promise<unknown>;
  /** The component; undefined until its file is loaded. */
  read(): ComponentType<Props> | undefined;
}

const missing = () =>
  new ApiError(
    'unreachable',
    'A file of this page is missing. If the engine is running, reload the page.',
    0,
  );

/** @param importFile imports the file and returns its component */
export function lazyPart<Props>(importFile: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let component: ComponentType<Props> | undefined;
  let loading: Promise<unknown> | undefined;
  return {
    read: () => component,
    load() {
      loading ??= importFile().then(
        (loaded) => {
          component = loaded;
        },
        () => {
          loading = undefined;
          throw missing();
        },
      );
      return loading;
    },
  };
}

/**
 * Loads a part when the caller is first shown. Not `React.lazy`: React keeps a fallback for at
 * least 300 ms, and the files take less.
 * @param wait what the load waits for; a stable function
 */
export function useLazyPart<Props>(part: LazyPart<Props>, wait?: () => Promise<void>) {
  const [, redraw] = useState(0);
  const [error, setError] = useState<unknown>(null);
  const load = useCallback(() => {
    setError(null);
    part.load().then(() => redraw((count) => count + 1), setError);
  }, [part]);
  const Component = part.read();
  const isLoaded = Component !== undefined;
  useEffect(() => {
    if (isLoaded) return;
    if (wait) void wait().then(load);
    else load();
  }, [isLoaded, load, wait]);
  return { Component, error, load };
}
