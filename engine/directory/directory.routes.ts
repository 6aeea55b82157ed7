// Answers the calls about the directory: imports, undo, the sample, company matching. Long work is
// answered with 202, continues in the background and sends events.
import { isAbsolute } from 'node:path';
import {
  type DirectoryStats,
  directory,
  type ImportOptions,
  ImportOptionsSchema,
  type ImportReport,
  startImportCounts,
} from '../contract/directory.ts';
import { EngineError, invalid, notFound } from '../contract/errors.ts';
import { ImportPathsSchema, imports } from '../contract/imports.ts';
import { importFileBytesMax } from '../contract/limits/directory.ts';
import { parseWith } from '../http/bodies/parse-with.ts';
import { type Form, readField, withForm } from '../http/bodies/receive-form.ts';
import { whenClientLeaves } from '../http/client-presence.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { type Call, serve } from '../http/serve.ts';
import { previewList } from './import/preview-list.ts';
import { sampleSource } from './import/sample.ts';
import type { DirectoryCalls, DirectoryRouteDeps } from './route-deps.ts';

type ImportCommand = Parameters<DirectoryCalls['importDirectory']>[0];

function describeFailure(error: unknown): ImportReport {
  const at = new Date().toISOString();
  return {
    import_id: 0,
    source: '',
    file_names: [],
    status: 'failed',
    ...startImportCounts(),
    remarks: [],
    columns: [],
    error:
      error instanceof EngineError
        ? error.detail
        : 'Internal error. If the list of imports shows it as completed, its rows are in the ' +
          'directory; otherwise import the file again.',
    started_at: at,
    completed_at: at,
  };
}

/**
 * Answers an import: with its report if the caller waits, otherwise with 202 as soon as it has
 * started.
 * @param run calls `begin` when it no longer needs the request
 */
async function answerImport(
  context: DirectoryRouteDeps,
  { reply }: Call,
  wait: '0' | '1',
  run: (begin: () => void) => Promise<ImportReport>,
): Promise<ImportReport | { task: 'import' }> {
  const begun = Promise.withResolvers<void>();
  const report = run(begun.resolve);
  await Promise.race([begun.promise, report]);
  if (wait === '1') return report;
  report.catch((error: unknown) => {
    if (!(error instanceof EngineError)) reply.log.error(error, 'an import failed');
    context.events.publish({ type: 'import', report: describeFailure(error) }, null);
  });
  reply.code(202);
  return { task: 'import' };
}

/** The options of a form: text, or JSON if more than text. Throws `validation_error`. */
function readOptions(form: Form): ImportOptions {
  const text = (name: string) => {
    const value = readField(form, name);
    return value === '' ? undefined : value;
  };
  const trust = text('trust');
  const mapping = text('mapping');
  const parse = (name: string, value: unknown): unknown => {
    try {
      return typeof value === 'string' ? JSON.parse(value) : value;
    } catch {
      throw invalid(`${name}: send a JSON object.`);
    }
  };
  return parseWith(ImportOptionsSchema, {
    source: text('source'),
    observed: text('observed'),
    trust: trust === undefined ? undefined : Number(trust),
    day_order: text('day_order'),
    mapping: parse('mapping', mapping),
    keep: parse('keep', readField(form, 'keep')),
    reading: parse('reading', readField(form, 'reading')),
    companies_reading: parse('companies_reading', readField(form, 'companies_reading')),
  });
}

function requireAbsolute(path: string | undefined, name: string): void {
  if (path !== undefined && !isAbsolute(path)) throw invalid(`${name}: ${path} must be absolute.`);
}

/** Paths of files on this machine that the app sent. Throws `validation_error`. */
function readPaths(body: unknown): ImportCommand {
  const { people_path, companies_path, began_at, ...options } = parseWith(
    ImportPathsSchema,
    body ?? {},
  );
  if (people_path === undefined && companies_path === undefined)
    throw new EngineError('bad_rows', 'Send people_path, companies_path, or both.');
  requireAbsolute(people_path, 'people_path');
  requireAbsolute(companies_path, 'companies_path');
  return {
    ...options,
    peoplePath: people_path,
    companiesPath: companies_path,
    beganAt: began_at,
  };
}

function readFiles(form: Form): ImportCommand {
  const people = form.files.get('people');
  const companies = form.files.get('companies');
  if (!people && !companies)
    throw new EngineError('bad_rows', 'Send a file as `people`, as `companies`, or both.');
  return {
    ...readOptions(form),
    peoplePath: people?.path,
    peopleName: people?.fileName,
    companiesPath: companies?.path,
    companiesName: companies?.fileName,
  };
}

const lists = { files: ['people', 'companies'], bytesMax: importFileBytesMax };
export const findSample = (directory: DirectoryStats): number | null =>
  listSamples(directory)[0] ?? null;

const listSamples = ({ imports }: DirectoryStats): number[] =>
  imports
    .filter(({ source, status }) => source === sampleSource && status === 'completed')
    .map(({ import_id }) => import_id);

export function addDirectoryRoutes(server: ApiServer, context: DirectoryRouteDeps): void {
  const { reader } = context.environment;
  serve(server, context, directory, { read: () => reader.directoryStats() });
  serve(server, context, imports, {
    start({ wait }, call) {
      const { request } = call;
      // If the caller waits for the report and disconnects, the import is cancelled unless it is
      // committed.
      const importFor = (command: ImportCommand) =>
        wait === '1'
          ? context.tasks.run(reader.importDirectory(command, whenClientLeaves(request)))
          : reader.importDirectory(command);
      return answerImport(context, call, wait, async (begin) => {
        if (!request.isMultipart()) {
          const command = readPaths(request.body);
          begin();
          return importFor(command);
        }
        return withForm(context, request, lists, (form) => {
          const command = readFiles(form);
          begin();
          return importFor(command);
        });
      });
    },
    preview: (list) => previewList(list),
    undo: ({ import_id: importId }) => reader.undoImport({ importId }),
    addSample: ({ wait }, call) =>
      answerImport(context, call, wait, (begin) => {
        begin();
        return reader.importSample();
      }),
    async removeSample() {
      let report: ImportReport | null = null;
      // Each load of the sample is a separate import; removing it undoes all of them.
      for (const importId of listSamples(await reader.directoryStats()))
        report = await reader.undoImport({ importId });
      if (!report) throw notFound('The sample directory is not loaded.');
      return report;
    },
    matchCompanies({ path, out_path: outPath, ...options }, { request }) {
      requireAbsolute(path, 'path');
      requireAbsolute(outPath, 'out_path');
      const matched = reader.matchCompanies(
        { path, outPath, ...options },
        whenClientLeaves(request),
      );
      return context.tasks.run(matched);
    },
  });
}
