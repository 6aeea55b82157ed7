// The result of a row if one of its candidates is the person.
import type { MatchBatch } from '../../directory/index/match-batch.ts';

export interface Projected {
  readonly status: number;
  readonly contact_uuid: string | null;
  readonly layer_bits: number;
  readonly fields: string | null;
  readonly provenance: string | null;
}

export const batchOf = (personId: number, fit: { companyId: number; employmentStatus: number }) =>
  ({
    count: 1,
    personIds: Int32Array.of(personId),
    companyIds: Int32Array.of(fit.companyId),
    employmentStatuses: Uint8Array.of(fit.employmentStatus),
    reasons: new Uint8Array(1),
    confidences: Float32Array.of(1),
    matchedOn: new Uint16Array(1),
    candidates: [],
  }) satisfies MatchBatch;
