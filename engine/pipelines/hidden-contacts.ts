// Finds the contacts of a pipeline that are suppressed now.
import type { DisplayName } from '../contract/jobs/layers.ts';
import { openInput } from '../spreadsheet/input-folders.ts';
import type { HiddenRows } from '../suppression/hidden-rows.ts';
import type { PipelineRow } from './pipeline.table.ts';
import type { PipelineContactRow } from './pipeline-contact.table.ts';

export type ContactFilter = Pick<HiddenRows, 'hides' | 'isEmpty'>;

/** The caller's rows of consecutive contacts; empty if they did not come from a spreadsheet. */
function readCells(folder: string, pipeline: PipelineRow, first: number, count: number) {
  if (pipeline.source !== 'contacts') return [];
  const rows = openInput(folder, pipeline.uuid, pipeline.total);
  try {
    return rows.readRange(first, count);
  } finally {
    rows.close();
  }
}

function listValues({ facts, email, phone }: PipelineContactRow) {
  const values: Partial<Record<DisplayName, string | null | undefined>> = {
    'First name': facts?.firstName,
    'Last name': facts?.lastName,
    'Current company name': facts?.companyName,
    Email: email,
    'Mobile phone': phone,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as Record<
    string,
    string
  >;
}

/** The positions of suppressed contacts. @param contacts consecutive contacts of the pipeline */
export function findHiddenContacts(
  filter: ContactFilter,
  folder: string,
  pipeline: PipelineRow,
  contacts: readonly PipelineContactRow[],
): ReadonlySet<number> {
  if (filter.isEmpty || contacts.length === 0) return new Set();
  const cells = readCells(folder, pipeline, contacts[0]?.position ?? 0, contacts.length);
  const hidden = contacts.filter((contact, nth) =>
    filter.hides(
      {
        cells: cells[nth] ?? [],
        contactUuid: contact.personUuid ?? '',
        values: listValues(contact),
      },
      pipeline.mapping,
    ),
  );
  return new Set(hidden.map(({ position }) => position));
}
