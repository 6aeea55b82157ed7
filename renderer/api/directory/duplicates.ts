/** Requests for duplicates and their merges. */
import {
  DuplicateDetailSchema,
  type DuplicateKind,
  DuplicateSearchSchema,
  DuplicatesPageSchema,
  MergesPageSchema,
  RecordMergeSchema,
} from '../../../engine/contract/duplicates/duplicates.ts';
import { call } from '../client.ts';

const base = '/app/v1';

/** A page of pairs. */
export interface PairsRequest {
  readonly kind: DuplicateKind;
  readonly status: 'open' | 'dismissed';
  readonly offset: number;
  readonly limit: number;
}

/** Pairs, the most probable first. */
export function readDuplicates({ kind, status, offset, limit }: PairsRequest) {
  const query = new URLSearchParams({
    kind,
    status,
    offset: String(offset),
    limit: String(limit),
  });
  return call(DuplicatesPageSchema, `${base}/duplicates?${query}`);
}

/** A pair with its evidence. @param survivor UUID of the record to keep; null for the default */
export function readDuplicate(id: number, survivor: string | null) {
  const query = survivor === null ? '' : `?${new URLSearchParams({ survivor })}`;
  return call(DuplicateDetailSchema, `${base}/duplicates/${id}${query}`);
}

/** Starts a search, or continues one that was stopped. */
export const searchDuplicates = () =>
  call(DuplicateSearchSchema, `${base}/duplicate-searches`, { method: 'POST', body: {} });

/** Stops the search. */
export const stopSearch = () =>
  call(DuplicateSearchSchema, `${base}/duplicate-searches/stop`, { method: 'POST', body: {} });

/** Merges a pair. */
export const mergeDuplicate = ({
  id,
  ...body
}: {
  id: number;
  survivor: string;
  choices: Record<string, string>;
}) => call(RecordMergeSchema, `${base}/duplicates/${id}/merge`, { method: 'POST', body });

/** Dismisses a pair, or lists it again. */
export const dismissDuplicate = ({ id, isDismissed }: { id: number; isDismissed: boolean }) =>
  call(DuplicateDetailSchema, `${base}/duplicates/${id}/${isDismissed ? 'dismiss' : 'reopen'}`, {
    method: 'POST',
    body: {},
  });

/** Merges, newest first. @param before the `next` of the page before; null for the first */
export const readMerges = (before: number | null) =>
  call(MergesPageSchema, `${base}/duplicate-merges${before === null ? '' : `?before=${before}`}`);

/** Undoes a merge. */
export const undoMerge = (id: number) =>
  call(RecordMergeSchema, `${base}/duplicate-merges/${id}/undo`, { method: 'POST', body: {} });
