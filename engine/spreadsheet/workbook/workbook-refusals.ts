// Refusals of a workbook: what is wrong with it, and what to do.
import { EngineError, invalid } from '../../contract/errors.ts';

/** A damaged workbook. `what` is a clause: "its rows are out of order". */
export const refuseDamaged = (what: string, cause?: unknown): EngineError =>
  new EngineError(
    'validation_error',
    `The workbook cannot be read: ${what}. Open it in a spreadsheet program, save it as .xlsx or ` +
      'as "CSV UTF-8", and try again.',
    { cause },
  );

/** A workbook beyond a limit. `what` and `remedy` are sentences. */
export const refuseTooLarge = (
  what: string,
  remedy = 'Save the sheet as "CSV UTF-8" and choose the new file.',
): EngineError => invalid(`${what} ${remedy}`);
