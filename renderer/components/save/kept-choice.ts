// Remembers in this browser what was chosen when a file was saved last.
import { z } from 'zod';
import { exportFormats } from '../../../engine/contract/exports/export-formats.ts';

/** A choice of a dialog that is remembered. `read` is null before the first one. */
export interface KeptChoice<Value> {
  read(): Value | null;
  keep(value: Value): void;
}

export const createKeptChoice = <Value>(
  storageKey: string,
  schema: z.ZodType<Value>,
): KeptChoice<Value> => ({
  read() {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
      return schema.safeParse(stored).data ?? null;
    } catch {
      return null;
    }
  },
  keep(value) {
    try {
      localStorage.setItem(storageKey, JSON.stringify(value));
    } catch {
      // A full storage only means that the choice is not remembered.
    }
  },
});

const KeptFormatSchema = z.object({
  format: z.enum(exportFormats),
  forExcel: z.boolean(),
  protectAll: z.boolean(),
});

/** @param of the CRM, or the format of the list, whose files are saved alike; `rows` without one */
export const keptFormat = (of: string) => createKeptChoice(`desk-save-${of}`, KeptFormatSchema);
