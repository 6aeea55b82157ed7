// Runs in the page before its own scripts, in a sandbox-like environment for the preload.

interface Answer {
  ok: boolean;
  value: unknown;
  error: string;
}
type Listener = (event: unknown, ...args: unknown[]) => void;
type Bindings = Record<string, unknown> & {
  __doubleInvoke: (message: unknown) => Promise<Answer>;
  __doublePaths: (count: number) => Promise<string[]>;
};

/**
 * Gives the preload's source a `require('electron')`. It is stringified and sent to the page, so it
 * uses nothing from outside.
 */
export function preloadHost(
  source: string,
  host: { versions: Record<string, string | undefined>; platform: string },
): void {
  if (window !== window.top) return;
  const page = window as unknown as Bindings;
  const invoke = page.__doubleInvoke;
  // The page's own scripts must not be able to bypass the preload.
  for (const name of ['__doubleInvoke', '__doublePaths']) delete page[name];
  const listeners = new Map<string, Set<Listener>>();
  const ipcRenderer = {
    async invoke(channel: string, ...args: unknown[]) {
      const answer = await invoke({ channel, args: structuredClone(args) });
      if (!answer.ok) throw new Error(`Error invoking remote method '${channel}': ${answer.error}`);
      return answer.value;
    },
    on(channel: string, listener: Listener) {
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
      return ipcRenderer;
    },
    off(channel: string, listener: Listener) {
      listeners.get(channel)?.delete(listener);
      return ipcRenderer;
    },
  };
  Object.defineProperty(page, Symbol.for('double.emit'), {
    value: (channel: string, args: unknown[]) => {
      for (const listener of listeners.get(channel) ?? []) listener({}, ...args);
    },
  });
  // Values that cross the context bridge are copied or proxied, never shared; a File is passed on.
  const cross = (value: unknown): unknown => {
    if (typeof value === 'function')
      return (...args: unknown[]) => {
        const out: unknown = value(...args.map(cross));
        return out instanceof Promise ? out.then(cross) : cross(out);
      };
    if (value === null || typeof value !== 'object' || value instanceof File) return value;
    if (Array.isArray(value)) return value.map(cross);
    if (Object.getPrototypeOf(value) !== Object.prototype) return structuredClone(value);
    const entries = Object.entries(value).map(([name, inner]) => [name, cross(inner)] as const);
    return Object.freeze(Object.fromEntries(entries));
  };
  const contextBridge = {
    exposeInMainWorld(name: string, api: unknown) {
      if (name in page) throw new Error(`Cannot bind an API on top of window.${name}`);
      Object.defineProperty(page, name, { value: cross(api), enumerable: true });
    },
  };
  const paths = (window as unknown as Record<symbol, Map<string, string> | undefined>)[
    Symbol.for('double.paths')
  ];
  const webUtils = {
    getPathForFile: (file: File) =>
      paths?.get(`${file.name} ${file.size} ${file.lastModified}`) ?? '',
  };
  const require = (name: string) => {
    if (name === 'electron') return { contextBridge, ipcRenderer, webUtils };
    throw new Error(`module not found: ${name}`); // as in a sandboxed renderer
  };
  const preloadProcess = { versions: host.versions, platform: host.platform, env: {} };
  try {
    const run = new Function('require', 'module', 'exports', 'process', source);
    run(require, { exports: {} }, {}, preloadProcess);
  } catch (error) {
    console.error('Unable to load preload script', error);
  }
}

/**
 * Records the real path of every selected or dropped file before the page receives it, because the
 * preload must answer synchronously. Runs before preloadHost and is stringified like it.
 */
export function pathHost(): void {
  const ask = (window as unknown as Bindings).__doublePaths;
  const paths = new Map<string, string>();
  const hidden = window as unknown as Record<symbol, unknown>;
  hidden[Symbol.for('double.paths')] = paths;
  const passedOn = new WeakSet<Event>();
  const copyEvent = (event: Event, files: readonly File[]): Event => {
    if (!(event instanceof DragEvent)) return new Event(event.type, { bubbles: true });
    const dataTransfer = new DataTransfer();
    for (const file of files) dataTransfer.items.add(file);
    return new DragEvent(event.type, { bubbles: true, cancelable: true, dataTransfer });
  };
  const learn = async (event: Event): Promise<void> => {
    if (passedOn.has(event)) return;
    const target = event.target;
    const list =
      event instanceof DragEvent
        ? event.dataTransfer?.files
        : target instanceof HTMLInputElement && target.files;
    if (!list || list.length === 0 || target === null) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    const files = [...list];
    hidden[Symbol.for('double.files')] = files;
    const found = await ask(files.length);
    files.forEach((file, index) => {
      paths.set(`${file.name} ${file.size} ${file.lastModified}`, found[index] ?? '');
    });
    const again = copyEvent(event, files);
    passedOn.add(again);
    target.dispatchEvent(again);
  };
  for (const type of ['input', 'change', 'drop'])
    window.addEventListener(type, (event) => void learn(event), true);
}

/** Main decides on new windows: window.open and target=_blank ask it, and open nothing. */
export function openHost(): void {
  const page = window as unknown as Record<string, unknown>;
  const ask = page.__doubleOpen as (url: string) => void;
  delete page.__doubleOpen;
  page.open = (url?: string | URL) => {
    ask(new URL(url ?? 'about:blank', document.baseURI).href);
    return null;
  };
  document.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest<HTMLAnchorElement>('a[target=_blank]');
    if (!link || event.defaultPrevented) return;
    event.preventDefault();
    ask(link.href);
  });
}
