// State that the desktop app stores between starts: its window, theme and choices.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UpdateChoiceSchema } from './desktop-contract.ts';

const RectangleSchema = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() });
/** A rectangle on the screen, in device-independent pixels. */
export type Rectangle = z.infer<typeof RectangleSchema>;

export const themes = ['system', 'light', 'dark'] as const;

const ShellStateSchema = z.object({
  bounds: RectangleSchema.nullable().default(null),
  isMaximized: z.boolean().default(false),
  theme: z.enum(themes).default('system'),
  keepsRunning: z.boolean().default(true),
  /** Whether the user was told once that the app runs on without its window. */
  knowsBackground: z.boolean().default(false),
  updates: UpdateChoiceSchema.default({ isOn: true, channel: 'stable' }),
});
export type ShellState = z.infer<typeof ShellStateSchema>;

const fileIn = (folder: string): string => join(folder, 'window.json');

/** The state stored in a folder; the defaults if there is none, or it is not readable. */
export function readShellState(folder: string): ShellState {
  try {
    return ShellStateSchema.parse(JSON.parse(readFileSync(fileIn(folder), 'utf8')));
  } catch {
    // A damaged file of the window's position is not worth an error.
    return ShellStateSchema.parse({});
  }
}

/** Stores the state: writes a complete file, then replaces the old one. */
export function writeShellState(folder: string, state: ShellState): void {
  const draft = `${fileIn(folder)}.new`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeSync(file, JSON.stringify(state));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, fileIn(folder));
}
