// Compared by the compiler alone: the stand-in has no member that Electron lacks, every function
// accepts the arguments of Electron's, and every event has what Electron's listeners are given.
import type { EventEmitter } from 'node:events';
import type * as Emitted from './events.ts';

type Real = typeof import('electron');
type Double = Omit<typeof import('./electron.ts'), 'seen'>;

/** Members for the tests and the stand-in's own modules. */
type Own =
  | ('askPermission' | 'receiveDownload' | 'last' | 'menu' | 'toolTip' | 'prototype')
  | ('page' | 'opened' | 'openHandler' | 'loading' | 'owner')
  // They take or call with other objects of the stand-in, whose members are compared themselves.
  | ('fromWebContents' | 'setApplicationMenu' | 'setContextMenu' | 'buildFromTemplate')
  | (
      | 'setPermissionCheckHandler'
      | 'setPermissionRequestHandler'
      | 'setWindowOpenHandler'
      | 'handle'
    );
type MembersOf<Value> = Exclude<keyof Value, Own | keyof EventEmitter | keyof typeof EventEmitter>;

/** The members that Electron does not have, or that do not accept its arguments. */
type WrongMembers<Mine, Theirs> = {
  [Name in MembersOf<Mine>]: Name extends keyof Theirs
    ? Theirs[Name] extends (...args: infer Args) => unknown
      ? Mine[Name] extends (...args: Args) => unknown
        ? never
        : Name
      : never
    : Name;
}[MembersOf<Mine>];

type Instance<Value> = Value extends abstract new (...args: never[]) => infer Made ? Made : unknown;
type Wrong = {
  [Name in keyof Double]: Name extends keyof Real
    ?
        | WrongMembers<Double[Name], Real[Name]>
        | WrongMembers<Instance<Double[Name]>, Instance<Real[Name]>>
    : Name;
}[keyof Double];
type WrongOfParts =
  | WrongMembers<ReturnType<Double['utilityProcess']['fork']>, Electron.UtilityProcess>
  | WrongMembers<InstanceType<Double['BrowserWindow']>['webContents'], Electron.WebContents>
  | WrongMembers<Double['session']['defaultSession'], Electron.Session>;

/** The stand-in; the wrong members if there are any, so that no use of it compiles. */
export type CheckedStandIn = [Wrong | WrongOfParts] extends [never]
  ? typeof import('./electron.ts')
  : Wrong | WrongOfParts;

/** What the stand-in emits, and the parts of Electron that emit the same. */
type Pairs = {
  app: { real: Electron.App; sent: Emitted.AppEvents };
  window: { real: Electron.BrowserWindow; sent: Emitted.WindowEvents };
  contents: { real: Electron.WebContents; sent: Emitted.ContentsEvents };
  session: { real: Electron.Session; sent: Emitted.SessionEvents };
  utility: { real: Electron.UtilityProcess; sent: Emitted.UtilityEvents };
  power: { real: Electron.PowerMonitor; sent: Emitted.PowerEvents };
  screen: { real: Electron.Screen; sent: Emitted.ScreenEvents };
  tray: { real: Electron.Tray; sent: Emitted.TrayEvents };
  notification: { real: Electron.Notification; sent: Emitted.NotificationEvents };
  theme: { real: Electron.NativeTheme; sent: Emitted.ThemeEvents };
};
// Never called. Without types of its own, a listener has those of the event by this name.
(({ app, window, contents, session, utility, power, screen, tray, notification, theme }: Pairs) => {
  app.real.on('ready', (...given) => app.sent.ready satisfies typeof given);
  app.real.on('before-quit', (...given) => app.sent['before-quit'] satisfies typeof given);
  app.real.on('will-quit', (...given) => app.sent['will-quit'] satisfies typeof given);
  app.real.on('quit', (...given) => app.sent.quit satisfies typeof given);
  app.real.on(
    'window-all-closed',
    (...given) => app.sent['window-all-closed'] satisfies typeof given,
  );
  app.real.on(
    'web-contents-created',
    (...given) => app.sent['web-contents-created'] satisfies typeof given,
  );
  app.real.on(
    'render-process-gone',
    (...given) => app.sent['render-process-gone'] satisfies typeof given,
  );
  app.real.on(
    'child-process-gone',
    (...given) => app.sent['child-process-gone'] satisfies typeof given,
  );
  app.real.on('second-instance', (...given) => app.sent['second-instance'] satisfies typeof given);
  app.real.on('open-file', (...given) => app.sent['open-file'] satisfies typeof given);
  app.real.on('open-url', (...given) => app.sent['open-url'] satisfies typeof given);
  window.real.on(
    'ready-to-show',
    (...given) => window.sent['ready-to-show'] satisfies typeof given,
  );
  window.real.on('show', (...given) => window.sent.show satisfies typeof given);
  window.real.on('hide', (...given) => window.sent.hide satisfies typeof given);
  window.real.on('focus', (...given) => window.sent.focus satisfies typeof given);
  window.real.on('resize', (...given) => window.sent.resize satisfies typeof given);
  window.real.on('close', (...given) => window.sent.close satisfies typeof given);
  window.real.on('closed', (...given) => window.sent.closed satisfies typeof given);
  window.real.on(
    'query-session-end',
    (...given) => window.sent['query-session-end'] satisfies typeof given,
  );
  contents.real.on('dom-ready', (...given) => contents.sent['dom-ready'] satisfies typeof given);
  contents.real.on(
    'did-finish-load',
    (...given) => contents.sent['did-finish-load'] satisfies typeof given,
  );
  contents.real.on('destroyed', (...given) => contents.sent.destroyed satisfies typeof given);
  contents.real.on(
    'will-navigate',
    (...given) => contents.sent['will-navigate'] satisfies typeof given,
  );
  contents.real.on(
    'will-redirect',
    (...given) => contents.sent['will-redirect'] satisfies typeof given,
  );
  contents.real.on(
    'will-frame-navigate',
    (...given) => contents.sent['will-frame-navigate'] satisfies typeof given,
  );
  session.real.on(
    'will-download',
    (...given) => session.sent['will-download'] satisfies typeof given,
  );
  utility.real.on('spawn', (...given) => utility.sent.spawn satisfies typeof given);
  utility.real.on('error', (...given) => utility.sent.error satisfies typeof given);
  utility.real.on('message', (...given) => utility.sent.message satisfies typeof given);
  utility.real.on('exit', (...given) => utility.sent.exit satisfies typeof given);
  power.real.on('resume', (...given) => power.sent.resume satisfies typeof given);
  screen.real.on(
    'display-removed',
    (...given) => screen.sent['display-removed'] satisfies typeof given,
  );
  screen.real.on(
    'display-metrics-changed',
    (...given) => screen.sent['display-metrics-changed'] satisfies typeof given,
  );
  tray.real.on('click', (...given) => tray.sent.click satisfies typeof given);
  notification.real.on('click', (...given) => notification.sent.click satisfies typeof given);
  theme.real.on('updated', (...given) => theme.sent.updated satisfies typeof given);
}) satisfies (pairs: Pairs) => void;
