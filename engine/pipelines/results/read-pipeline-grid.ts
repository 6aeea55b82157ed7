/** A completed pipeline in the app's grid: the input and outcome of each contact. */

import type { PipelineGridPage } from '../../contract/pipelines/app-pipelines.ts';
import type { RouteEnvironment } from '../../http/route-deps.ts';
import { openInput } from '../../spreadsheet/input-folders.ts';
import { readHiddenRows } from '../../suppression/hidden-rows.ts';
import type { PipelineRow } from '../pipeline.table.ts';
import { readPipelinePage, showCells } from './read-pipeline.ts';

/** One page, in contact order. */
export function readPipelineGrid(
  { database, directoryDatabase, folder }: RouteEnvironment,
  pipeline: PipelineRow,
  page: { readonly limit: number; readonly offset: number },
): PipelineGridPage {
  const contacts = readPipelinePage(database, directoryDatabase, folder, pipeline, page);
  const head = { count: pipeline.total, offset: page.offset };
  if (pipeline.source !== 'contacts')
    return { headers: [], ...head, rows: contacts.map((contact) => ({ input: [], contact })) };
  const table = openInput(folder, pipeline.uuid, pipeline.total);
  try {
    const inputs = table.readRange(page.offset, page.limit);
    const hidden = readHiddenRows(database, directoryDatabase);
    const rows = contacts.map((contact, nth) => ({
      input: showCells(hidden, pipeline, contact, inputs[nth] ?? []),
      contact,
    }));
    return { headers: table.headers, ...head, rows };
  } finally {
    table.close();
  }
}
