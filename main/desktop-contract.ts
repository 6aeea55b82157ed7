/** What the desktop gives the page as window.desk: the bridge and the shapes that cross it. */
import { z } from 'zod';

/** The program's own version and those it runs on; null outside the real Electron. */
export const VersionsSchema = z.object({
  app: z.string(),
  electron: z.string().nullable(),
  chrome: z.string().nullable(),
  node: z.string(),
});
/** The program's versions. */
export type Versions = z.infer<typeof VersionsSchema>;

/** A file that the user chose: its absolute path, and the name to show. */
export const ChosenFileSchema = z.object({ path: z.string().min(1), name: z.string().min(1) });
/** A file that the user chose. */
export type ChosenFile = z.infer<typeof ChosenFileSchema>;

/** Where to save what. */
export const SaveQuestionSchema = z.object({
  suggestedName: z.string().min(1).max(255),
  kind: z.literal('csv'),
});
/** Where to save what. */
export type SaveQuestion = z.infer<typeof SaveQuestionSchema>;

/** The absolute path that the user chose to save to. */
export const SavePlaceSchema = z.object({ path: z.string().min(1) });
/** The path that the user chose to save to. */
export type SavePlace = z.infer<typeof SavePlaceSchema>;

/** A notification of the operating system. */
export const NoticeSchema = z.object({
  title: z.string().min(1).max(200),
  body: z.string().max(1000),
});
/** A notification of the operating system. */
export type Notice = z.infer<typeof NoticeSchema>;

/** A path of this machine, and an address to open in the system's browser. */
export const PathSchema = z.string().min(1).max(4096);
export const AddressSchema = z.url().max(4096);

/** What the menu asks the page to do. */
export type DesktopCommand = 'open-file';

/** What only the desktop can do; in a browser window.desk is absent and the page helps itself. */
export interface DesktopBridge {
  /** "linux", "darwin" or "win32". */
  readonly platform: string;
  versions(): Promise<Versions>;
  /** The system's dialog for a spreadsheet; null where it was cancelled. */
  openSpreadsheet(): Promise<ChosenFile | null>;
  /** The absolute path of a dropped or picked file; empty for one made in the page. */
  pathForFile(file: File): string;
  /** The system's dialog for a place to save; null where it was cancelled. */
  saveAs(question: SaveQuestion): Promise<SavePlace | null>;
  /** Shows a file in the system's file manager. */
  showInFolder(path: string): Promise<void>;
  /** Opens an https address in the system's browser; false where it was refused. */
  openExternal(url: string): Promise<boolean>;
  notify(notice: Notice): Promise<void>;
  /** Calls back on every command of the menu. Returns the function that ends it. */
  onCommand(listener: (command: DesktopCommand) => void): () => void;
}

declare global {
  interface Window {
    readonly desk?: DesktopBridge;
  }
}
