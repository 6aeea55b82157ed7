// Receives a CSV file in a form and decodes it for the duration of a call.
import type { FastifyRequest } from 'fastify';
import { invalid } from '../../contract/errors.ts';
import { csvUploadBytesMax } from '../../contract/limits/spreadsheet.ts';
import type { PreparedInput } from '../../spreadsheet/prepared-input.ts';
import { whenClientLeaves } from '../client-presence.ts';
import type { RouteDeps } from '../route-deps.ts';
import type { SourceFile } from '../upload-store.ts';
import { type Form, withForm } from './receive-form.ts';

const spreadsheet = { files: ['file'], bytesMax: csvUploadBytesMax };

/**
 * Passes the form, as `read` parses it, and the table of its file to the caller, then removes the
 * table. Throws what they throw, and `validation_error` for an Excel workbook. Stops if the client
 * disconnects while the file is decoded.
 */
export const withSpreadsheet = <Parts extends { readonly file: SourceFile }, Result>(
  context: RouteDeps,
  request: FastifyRequest,
  read: (form: Form) => Parts,
  use: (parts: Parts, input: PreparedInput) => Promise<Result>,
): Promise<Result> =>
  withForm(context, request, spreadsheet, async (form) => {
    const parts = read(form);
    const leaving = whenClientLeaves(request);
    return context.uploads.withFile(parts.file, leaving, async (input, { kind }) => {
      if (kind !== 'csv') {
        const what = kind === 'xlsx' ? 'an Excel workbook (.xlsx)' : 'not a CSV';
        throw invalid(
          `${parts.file.fileName} is ${what}. Save it as CSV and send that, or open it in the app.`,
        );
      }
      return use(parts, input);
    });
  });
