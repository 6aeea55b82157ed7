// The bridge that the desktop app exposes to the page as window.desk, and its data types.
import { z } from 'zod';
import { exportFormats } from '../engine/contract/exports/export-formats.ts';

/** Versions of the app and its runtime; null outside the real Electron. */
export const VersionsSchema = z.object({
  app: z.string(),
  electron: z.string().nullable(),
  chrome: z.string().nullable(),
  node: z.string(),
});
export type Versions = z.infer<typeof VersionsSchema>;

/** A file that the user chose: its absolute path, and its display name. */
export const ChosenFileSchema = z.object({ path: z.string().min(1), name: z.string().min(1) });
export type ChosenFile = z.infer<typeof ChosenFileSchema>;

export const SaveQuestionSchema = z.object({
  suggestedName: z.string().min(1).max(255),
  kind: z.enum(exportFormats),
});
export type SaveQuestion = z.infer<typeof SaveQuestionSchema>;

/** The absolute path that the user chose to save to. */
export const SavePlaceSchema = z.object({ path: z.string().min(1) });
export type SavePlace = z.infer<typeof SavePlaceSchema>;

export const NoticeSchema = z.object({
  title: z.string().min(1).max(200),
  body: z.string().max(1000),
});
export type Notice = z.infer<typeof NoticeSchema>;

/** A path on this machine, and a URL to open in the system's browser. */
export const PathSchema = z.string().min(1).max(4096);
export const AddressSchema = z.url().max(4096);

const UpdateChannelSchema = z.enum(['stable', 'beta']);

export const UpdateChoiceSchema = z.object({ isOn: z.boolean(), channel: UpdateChannelSchema });
export type UpdateChoice = z.infer<typeof UpdateChoiceSchema>;

export const UpdateStateSchema = z.object({
  state: z.enum([
    'off',
    'idle',
    'checking',
    'downloading',
    'ready',
    'preparing',
    'refused',
    'failed',
  ]),
  /** The version that runs, and the one that is offered. */
  current: z.string(),
  version: z.string().nullable(),
  /** Release notes as plain text. */
  notes: z.string(),
  percent: z.int().nullable(),
  /** What happened, or why updates are off. */
  sentence: z.string().nullable(),
  /** The channel that is asked; null while updates are off. */
  channel: UpdateChannelSchema.nullable(),
  checked_at: z.string().nullable(),
});
export type UpdateState = z.infer<typeof UpdateStateSchema>;

export type DesktopCommand = 'open-file' | 'open-request' | 'shortcuts';

/** What the app is asked to open from outside: a file, a screen, or the dialog for a file. */
export const OpenRequestSchema = z.object({
  file: ChosenFileSchema.optional(),
  screen: z.string().optional(),
  dialog: z.boolean().optional(),
});
export type OpenRequest = z.infer<typeof OpenRequestSchema>;

/** How the app runs without its window. */
export const BackgroundSchema = z.object({ keepsRunning: z.boolean(), opensAtLogin: z.boolean() });
export type Background = z.infer<typeof BackgroundSchema>;

/** Functions that only the desktop app has. In a browser window.desk is undefined. */
export interface DesktopBridge {
  /** "linux", "darwin" or "win32". */
  readonly platform: string;
  versions(): Promise<Versions>;
  /** Shows the system's open dialog for a spreadsheet; null if the user cancels. */
  openSpreadsheet(): Promise<ChosenFile | null>;
  /** The absolute path of a dropped or chosen file; empty for a file created by the page. */
  pathForFile(file: File): string;
  /** Shows the system's save dialog; null if the user cancels. */
  saveAs(question: SaveQuestion): Promise<SavePlace | null>;
  showInFolder(path: string): Promise<void>;
  /** Opens an https URL in the system's browser; false if it was refused. */
  openExternal(url: string): Promise<boolean>;
  notify(notice: Notice): Promise<void>;
  /** The oldest request that the page has not taken; null without one. */
  takeRequest(): Promise<OpenRequest | null>;
  readBackground(): Promise<Background>;
  chooseBackground(choice: Background): Promise<Background>;
  readUpdates(): Promise<{ state: UpdateState; choice: UpdateChoice }>;
  checkUpdates(): Promise<void>;
  chooseUpdates(choice: UpdateChoice): Promise<void>;
  /** Makes a backup, and restarts the app with the downloaded update. */
  restartToUpdate(): Promise<void>;
  /** Calls back on every change of the updates. Returns a function that unsubscribes. */
  onUpdates(listener: (state: UpdateState) => void): () => void;
  /** Calls back on every command of the menu. Returns a function that unsubscribes. */
  onCommand(listener: (command: DesktopCommand) => void): () => void;
}

declare global {
  interface Window {
    readonly desk?: DesktopBridge;
  }
}
