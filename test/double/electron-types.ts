/**
 * Compared by the compiler alone: the stand-in has no member that Electron lacks, and every
 * function accepts the arguments of Electron's.
 */
import type { EventEmitter } from 'node:events';

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
