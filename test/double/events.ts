// The events that the stand-in and the tests emit, with the arguments that Electron's types
// document (`electron-types.ts` compares them).

/** Events of `app`. */
export interface AppEvents {
  ready: [event: Electron.Event, launchInfo: Record<string, unknown>];
  'before-quit': [event: Electron.Event];
  'will-quit': [event: Electron.Event];
  quit: [event: Electron.Event, exitCode: number];
  'window-all-closed': [];
  'web-contents-created': [event: Electron.Event, contents: Electron.WebContents];
  'render-process-gone': [
    event: Electron.Event,
    contents: Electron.WebContents,
    details: Electron.RenderProcessGoneDetails,
  ];
  'child-process-gone': [event: Electron.Event, details: Electron.Details];
  'second-instance': [
    event: Electron.Event,
    argv: string[],
    folder: string,
    additionalData: unknown,
  ];
  'open-file': [event: Electron.Event, path: string];
  'open-url': [event: Electron.Event, url: string];
}

export interface WindowEvents {
  'ready-to-show': [];
  show: [];
  hide: [];
  focus: [];
  resize: [];
  close: [event: Electron.Event];
  closed: [];
  'query-session-end': [event: Electron.WindowSessionEndEvent];
}

export interface ContentsEvents {
  'dom-ready': [];
  'did-finish-load': [];
  destroyed: [];
  'will-navigate': [
    details: Electron.Event<Electron.WebContentsWillNavigateEventParams>,
    url: string,
    isInPlace: boolean,
    isMainFrame: boolean,
    frameProcessId: number,
    frameRoutingId: number,
  ];
  'will-redirect': [
    details: Electron.Event<Electron.WebContentsWillRedirectEventParams>,
    url: string,
    isInPlace: boolean,
    isMainFrame: boolean,
    frameProcessId: number,
    frameRoutingId: number,
  ];
  'will-frame-navigate': [
    details: Electron.Event<Electron.WebContentsWillFrameNavigateEventParams>,
  ];
}

export interface SessionEvents {
  'will-download': [
    event: Electron.Event,
    item: Electron.DownloadItem,
    contents: Electron.WebContents,
    frame: Electron.WebFrameMain | null,
  ];
}

export interface UtilityEvents {
  spawn: [];
  error: [type: 'FatalError', location: string, report: string];
  message: [message: unknown];
  exit: [code: number];
}

/**
 * Events of the machine's power. `shutdown` has an event, by which it is delayed; only the
 * documentation says so.
 */
export interface PowerEvents {
  resume: [];
  shutdown: [event: Electron.Event];
}

export interface ScreenEvents {
  'display-removed': [event: Electron.Event, display: Electron.Display];
  'display-metrics-changed': [event: Electron.Event, display: Electron.Display, changed: string[]];
}

export interface TrayEvents {
  click: [event: Electron.KeyboardEvent, bounds: Electron.Rectangle, position: Electron.Point];
}

export interface NotificationEvents {
  click: [event: Electron.Event];
}

/** Events of the system's theme. */
export interface ThemeEvents {
  updated: [];
}

/** An event that listeners can prevent. */
export function makeEvent<Properties extends object>(
  properties: Properties,
): Electron.Event<Properties> {
  const event = {
    ...properties,
    defaultPrevented: false,
    preventDefault() {
      event.defaultPrevented = true;
    },
  };
  return event;
}
