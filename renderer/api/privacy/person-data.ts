/** Requests for everything about one person. */
import {
  PersonExportSchema,
  type PersonQuery,
  PersonReceiptSchema,
  PersonReceiptsSchema,
  PersonSearchSchema,
} from '../../../engine/contract/person-data/person-data.ts';
import { call } from '../client.ts';

const base = '/app/v1/person-data';

/** The people who match a value, and what is held about the picked one. */
export const searchPersonData = (body: PersonQuery) =>
  call(PersonSearchSchema, `${base}/searches`, { method: 'POST', body });

/** Every entry with its values. */
export const exportPersonData = (body: PersonQuery) =>
  call(PersonExportSchema, `${base}/exports`, { method: 'POST', body });

/** Deletes a person. */
export const deletePersonData = (body: PersonQuery & { confirmed: true; suppress: boolean }) =>
  call(PersonReceiptSchema, `${base}/deletions`, { method: 'POST', body });

/** Receipts, newest first. */
export const readPersonReceipts = () =>
  call(PersonReceiptsSchema, `${base}/receipts`, { method: 'POST', body: {} });
