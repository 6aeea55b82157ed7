// The dry run of a pipeline's estimate: a sample of its contacts is looked up in the directory, and
// owned values are subtracted. Nothing is charged, held or stored.
import { creditUnits, formatCredits } from '../contract/credits.ts';
import { lookupPrices } from '../contract/lookup.ts';
import type { PipelinePreview } from '../contract/pipelines/app-pipelines.ts';
import type { PipelineKind } from '../contract/pipelines/pipeline.ts';
import type { Contact } from '../directory/read/find-contact.ts';
import { readContacts } from '../directory/read/read-person.ts';
import { readFoundContacts } from '../directory/search/search-rows.ts';
import { isOwned } from '../ledger/owned-values.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { DirectoryProvider } from '../providers/directory-provider.ts';
import { sampleList, sampleRows } from '../spreadsheet/sample-rows.ts';
import { suppressRows } from '../suppression/suppress-rows.ts';
import { readSuppressionList } from '../suppression/suppression-list.ts';
import type { KnownContact, PipelinePreviewRequest } from './start-pipeline.ts';

export interface PreviewSources {
  readonly store: ReadableDatabase;
  readonly directory: ReadableDatabase;
  readonly provider: DirectoryProvider;
}

interface Sample {
  readonly known: readonly KnownContact[];
  readonly sampled: number;
  readonly total: number;
}

function readKnown(directory: ReadableDatabase, personIds: readonly number[]): KnownContact[] {
  return readFoundContacts(directory, personIds).map(({ uuid, has_email, has_phone }) => ({
    uuid,
    has: { email: has_email, phone: has_phone },
  }));
}

export const describeKnown = ({
  uuid,
  email,
  mobilePhone,
  directPhone,
}: Contact): KnownContact => ({
  uuid,
  has: { email: email !== null, phone: (mobilePhone ?? directPhone) !== null },
});

function takeSample(
  { store, directory, provider }: PreviewSources,
  { subject, threshold }: PipelinePreviewRequest,
): Sample {
  if (subject.source === 'people') {
    const ids = sampleList(subject.personIds);
    const known = readKnown(directory, ids);
    return { known, sampled: ids.length, total: subject.personIds.length };
  }
  if (subject.source === 'uuids') {
    const uuids = sampleList(subject.uuids);
    const contacts = [...readContacts(directory, uuids).values()];
    const known = [...contacts.map(describeKnown), ...(subject.team ?? [])];
    return { known, sampled: uuids.length, total: subject.uuids.length };
  }
  const { bytes, sampled, rowCount } = sampleRows(subject.input.dir);
  const matched = provider.answer(bytes, subject.mapping, threshold);
  const list = readSuppressionList(store, directory);
  const { personIds } = suppressRows(list, matched, bytes, subject.mapping).batch;
  const known = readKnown(
    directory,
    [...personIds].filter((id) => id !== 0),
  );
  return { known, sampled, total: rowCount };
}

/** Looks up a sample in the directory. Upstream providers are not asked. */
export function previewPipeline(
  sources: PreviewSources,
  request: PipelinePreviewRequest,
): PipelinePreview {
  const { known, sampled, total } = takeSample(sources, request);
  const { accountId, kinds, verifyPriceUnits } = request;
  const paid = new Set<string>();
  let owned = 0;
  let units = 0;
  for (const { uuid, has } of known)
    for (const kind of kinds.filter((one) => has[one])) {
      const name = `${kind} ${uuid}`;
      if (isOwned(sources.store, accountId, { personUuid: uuid, kind })) owned += 1;
      else if (!paid.has(name)) units += lookupPrices[kind];
      if (kind === 'email' && !paid.has(name)) units += verifyPriceUnits;
      paid.add(name);
    }
  const count = (kind: PipelineKind) => known.filter(({ has }) => has[kind]).length;
  const expectedUnits = sampled === 0 ? 0 : Math.round((units / sampled) * total);
  return {
    sampled,
    matched: known.length,
    with_email: count('email'),
    with_phone: count('phone'),
    owned_values: owned,
    expected_credits: formatCredits(creditUnits(expectedUnits)),
  };
}
