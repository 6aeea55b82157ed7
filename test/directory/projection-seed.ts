// A directory with people who stayed, moved, left, opted out or have no job, and its batches.
import { employmentStatuses, reasons } from '../../engine/contract/jobs/job.ts';
import type { LayerCode } from '../../engine/contract/jobs/layers.ts';
import type { MatchBatch } from '../../engine/directory/index/match-batch.ts';

export interface Row {
  readonly person?: number;
  readonly company?: number;
  readonly status?: (typeof employmentStatuses)[number];
  readonly reason?: (typeof reasons)[number];
  readonly candidates?: readonly number[];
}

export const acme = 1;
export const globex = 2;
export const [stayed, moved, gone, hidden, jobless] = [1, 2, 3, 4, 5];
export const seed = `
INSERT INTO source_import (id, source, trust, observed_on, status, started_at) VALUES
  (1, 'crm', 0.8, '2026-01-02', 'completed', ''),
  (2, 'said "so"', 1, '2026-02-03', 'completed', '');
INSERT INTO company (id, uuid, name, website, street, city, state, country, postal_code, phone,
  import_id, observed_on, is_mixed) VALUES
  (1, 'c1', 'Acme', 'acme.example', '1 Road', 'Bern', 'BE', 'CH', '3000', '+41310000000', 1,
   '2026-01-02', 1),
  (2, 'c2', 'Globex', 'globex.example', '2 Road', 'Rome', 'RM', 'IT', '00100', '+390600000', 2,
   '2026-02-03', 0),
  (3, 'c3', 'Bare', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, '2026-01-02', 0);
INSERT INTO person (id, uuid, first_name, last_name, profile_url, city, state, country,
  mobile_phone, has_foreign_phone, opted_out, employment_id, has_left, import_id,
  observed_on) VALUES
  (1, 'p1', 'Ann', 'Lee', 'https://in/ann', 'Bern', 'BE', 'CH', '+41790000000', 1, 0, 1, 0, 1,
   '2026-01-02'),
  (2, 'p2', 'Bob', 'May', NULL, NULL, NULL, NULL, NULL, 0, 0, 3, 0, 1, '2026-01-02'),
  (3, 'p3', 'Cy', 'Noe', NULL, NULL, NULL, NULL, NULL, 0, 0, 4, 1, 1, '2026-01-02'),
  (4, 'p4', 'Di', 'Orr', NULL, NULL, NULL, NULL, NULL, 0, 1, NULL, 0, 1, '2026-01-02'),
  (5, 'p5', 'Ed', '', NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, 0, 1, '2026-01-02');
INSERT INTO person_phone (person_id, kind, number, import_id, observed_on) VALUES
  (1, 'mobile', '+41790000000', 2, '2026-02-03');
INSERT INTO employment (id, person_id, company_id, title, job_function, job_level, email,
  email_status, start_on, is_current, is_primary, import_id, observed_on) VALUES
  (1, 1, 1, 'Chief', 'Executive', 'C-Level', 'ann@acme.example', NULL, '2020', 1, 1, 1,
   '2026-01-02'),
  (2, 2, 1, 'Clerk', NULL, NULL, 'bob@acme.example', 'valid', '2019', 0, 0, 1, '2026-01-02'),
  (3, 2, 2, 'Head', NULL, NULL, 'bob@globex.example', 'invalid', '2025-04', 1, 1, 2, '2026-02-03'),
  (4, 3, 1, 'Cook', 'Kitchen', 'Staff', 'cy@acme.example', 'valid', '2018', 0, 1, 1, '2026-01-02');
INSERT INTO value_claim VALUES
  (2, 1, 0, 2, 'Acme', '2026-02-03', 1),
  (2, 1, 8, 2, 'Bern', '2026-02-03', 1), (2, 1, 8, 1, 'Berne', '2026-01-02', 0);
`;

export function batchOf(rows: readonly Row[]): MatchBatch {
  return {
    count: rows.length,
    personIds: Int32Array.from(rows, (row) => row.person ?? 0),
    companyIds: Int32Array.from(rows, (row) => row.company ?? 0),
    employmentStatuses: Uint8Array.from(rows, (row) =>
      employmentStatuses.indexOf(row.status ?? ''),
    ),
    reasons: Uint8Array.from(rows, (row) => reasons.indexOf(row.reason ?? '')),
    confidences: Float32Array.from(rows, () => 0.96),
    matchedOn: Uint16Array.from(rows, () => 3),
    candidates: rows.flatMap(({ candidates }, row) =>
      candidates
        ? [
            {
              row,
              personIds: candidates,
              scores: candidates.map(() => 0.9),
              companyIds: candidates.map(() => 0),
              employmentStatuses: candidates.map(() => 1),
              matchedOn: candidates.map(() => 12),
            },
          ]
        : [],
    ),
  };
}

/** The layers with values in the seed, and some without. */
export const seededLayers: readonly LayerCode[] = ['L1', 'L2', 'L3', 'L4', 'MPA'];
