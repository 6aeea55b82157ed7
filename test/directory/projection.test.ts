// The projection: the values of each layer for people who stayed, moved or left.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reasons } from '../../engine/contract/jobs/job.ts';
import { layerCodes, layerStatuses, layers } from '../../engine/contract/jobs/layers.ts';
import { attachDirectory, openDirectory } from '../../engine/directory/open-directory.ts';
import {
  createProjection,
  describeCandidates,
  expandProvenance,
  vanishedStatus,
} from '../../engine/directory/read/projection.ts';
import { fieldSources } from '../../engine/directory/read/projection-fields.ts';
import { readFields } from '../../engine/jobs/results/result-fields.ts';
import { openWritable, type WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import {
  acme,
  batchOf,
  globex,
  gone,
  hidden,
  jobless,
  moved,
  type Row,
  seed,
  seededLayers,
  stayed,
} from './projection-seed.ts';

interface Found {
  row_index: number;
  status: number;
  reason: number;
  contact_uuid: string | null;
  layer_bits: number;
  fields: string | null;
  candidates: string | null;
  provenance: string | null;
}

let folder: string;
let db: WritableDatabase;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'desk-projection-'));
  db = openDirectory(folder);
  db.exec(seed);
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

function project(rows: readonly Row[], codes = seededLayers): Found[] {
  const projection = createProjection(db, { schema: 'main', layers: codes });
  projection.load(batchOf(rows), 40);
  return db.prepare(projection.selectSql).all() as Found[];
}
function readOne(row: Row, codes = seededLayers) {
  const [found] = project([row], codes);
  if (!found) throw new Error('no row came out');
  const fields = readFields({ fields: found.fields ?? '{}' });
  const states = Object.fromEntries(
    codes.map((code) => [
      code,
      layerStatuses[(found.layer_bits >> (2 * layerCodes.indexOf(code))) & 3],
    ]),
  );
  return { ...found, fields, states };
}

const acmeOffice = {
  'Company website': 'acme.example',
  'Company address': '1 Road',
  'Company city': 'Bern',
  'Company State': 'BE',
  'Company country': 'CH',
  'Company postal code': '3000',
  'Company phone': '+41310000000',
};

test('a person who stayed has the current job, the office and own phones, and nothing of a new job', () => {
  const found = readOne({ person: stayed, company: acme, status: 'Current' });
  expect(found.states).toEqual({
    L1: 'enriched',
    L2: 'enriched',
    L3: 'not_applicable',
    L4: 'not_applicable',
    MPA: 'enriched',
  });
  expect(found.fields).toEqual({
    'First name': 'Ann',
    'Last name': 'Lee',
    'Current company name': 'Acme',
    'Current title': 'Chief',
    Email: 'ann@acme.example',
    'Email status': 'unknown',
    'Profile URL': 'https://in/ann',
    'Employment status': 'Current',
    'Job function': 'Executive',
    'Job level': 'C-Level',
    'Contact city': 'Bern',
    'Contact state': 'BE',
    'Contact country': 'CH',
    ...acmeOffice,
    'Mobile phone': '+41790000000',
  });
});

test('a person who moved has the new employer, the office of the row, and no invalid address', () => {
  const found = readOne({ person: moved, company: acme, status: 'Changed' });
  expect(found.states).toEqual({
    L1: 'enriched',
    L2: 'enriched',
    L3: 'enriched',
    L4: 'enriched',
    MPA: 'not_found',
  });
  expect(found.fields).toEqual({
    'First name': 'Bob',
    'Last name': 'May',
    'Current company name': 'Globex',
    'Current title': 'Head',
    'Employment status': 'Changed',
    ...acmeOffice,
    'New company name': 'Globex',
    'New title': 'Head',
    'New start date': '2025-04',
    'New company website': 'globex.example',
    'New company address': '2 Road',
    'New company city': 'Rome',
    'New company State': 'RM',
    'New company country': 'IT',
    'New company postal code': '00100',
    'New company phone': '+390600000',
  });
});

test('a person who left has no company, title or address, and the row is still enriched', () => {
  const found = readOne({ person: gone, company: acme, status: 'Left' });
  expect(found).toMatchObject({ status: 0, reason: 0, contact_uuid: 'p3' });
  expect(found.states).toEqual({
    L1: 'enriched',
    L2: 'enriched',
    L3: 'not_found',
    L4: 'not_found',
    MPA: 'not_found',
  });
  expect(found.fields).toEqual({
    'First name': 'Cy',
    'Last name': 'Noe',
    'Employment status': 'Left',
    ...acmeOffice,
  });
});

test.each([
  [
    'a row that names no company gets the current office',
    { person: moved, status: 'Current' },
    'Rome',
  ],
  [
    'who left and is named without a company has no office',
    { person: gone, status: 'Left' },
    undefined,
  ],
  ['a company of which nothing is known is not found', { person: stayed, company: 3 }, undefined],
] as const)('L2: %s', (_title, row, city) => {
  const found = readOne(row);
  expect(found.fields['Company city']).toBe(city);
  expect(found.states.L2).toBe(city ? 'enriched' : 'not_found');
});

test('an index older than the directory never sells a job that has ended', () => {
  expect(readOne({ person: gone, company: acme, status: 'Current' }).fields).not.toHaveProperty(
    'Current title',
  );
  expect(readOne({ person: moved, company: acme, status: 'Left' }).fields).toMatchObject({
    'Employment status': 'Changed',
    'New title': 'Head',
  });
});

test('a person without a known job is enriched with the name only', () => {
  expect(readOne({ person: jobless, status: 'Current' }).fields).toEqual({
    'First name': 'Ed',
    'Employment status': 'Current',
  });
});

test('a row without a person is skipped with its reason and its candidates', () => {
  const rows = project([
    { reason: 'no_match' },
    { reason: 'ambiguous', candidates: [stayed, moved, hidden, 99] },
    { person: hidden, status: 'Current' },
  ]);
  expect(rows.map((row) => [row.row_index, row.status, reasons[row.reason]])).toEqual([
    [40, 1, 'no_match'],
    [41, 1, 'ambiguous'],
    [42, 1, 'suppressed'],
  ]);
  for (const row of rows)
    expect(row).toMatchObject({
      contact_uuid: null,
      fields: null,
      provenance: null,
      layer_bits: 0,
    });
  expect(describeCandidates(rows[1]?.candidates ?? null)).toEqual([
    {
      upstream_contact_uuid: 'p1',
      name: 'Ann Lee',
      title: 'Chief',
      company_name: 'Acme',
      score: 0.9,
    },
    {
      upstream_contact_uuid: 'p2',
      name: 'Bob May',
      title: 'Head',
      company_name: 'Globex',
      score: 0.9,
    },
  ]);
  expect(describeCandidates(null)).toEqual([]);
});

test('a row whose person or employer was deleted must be matched again', () => {
  const rows = project([
    { person: 77, status: 'Current' },
    { person: stayed, company: globex + 9 },
  ]);
  expect(rows.map((row) => row.status)).toEqual([vanishedStatus, vanishedStatus]);
});

test('only the selected layers are returned', () => {
  const found = readOne({ person: moved, company: acme, status: 'Changed' }, ['L1', 'MPA']);
  expect(found.layer_bits).toBe(1);
  expect(found.fields).toHaveProperty('Current title', 'Head');
  expect(Object.keys(found.fields).filter((name) => /^New|^Company/.test(name))).toEqual([]);
});

test('every value has its source, also if it is newer than its record', () => {
  const found = readOne({ person: stayed, company: acme, status: 'Current' });
  const provenance = expandProvenance(found.provenance ?? '', Object.keys(found.fields));
  expect(Object.keys(provenance)).toEqual(Object.keys(found.fields));
  const crm = { source: 'crm', observed_at: '2026-01-02', confidence: 0.8 };
  const other = { source: 'said "so"', observed_at: '2026-02-03', confidence: 1 };
  expect(provenance).toMatchObject({
    'First name': crm,
    'Current company name': crm,
    'Current title': crm,
    'Company city': other,
    'Company State': crm,
    'Mobile phone': other,
  });
  const left = readOne({ person: gone, status: 'Left' });
  expect(expandProvenance(left.provenance ?? '', ['Employment status'])).toEqual({
    'Employment status': crm,
  });
});

test('every display name of the layers has a source, and every source a display name', () => {
  expect(Object.keys(fieldSources).sort()).toEqual(layers.flatMap(({ fields }) => fields).sort());
});

test('a batch of any size is in order, also over the attached directory', () => {
  db.close();
  db = openWritable(join(folder, 'other.db'), {
    synchronous: 'NORMAL',
    migrationsDir: folder,
  });
  attachDirectory(db, folder);
  const projection = createProjection(db, { schema: 'directory', layers: ['L1', 'L2'] });
  const rows = Array.from({ length: 71 }, (_, at) => ({
    person: at % 6,
    status: 'Current' as const,
  }));
  for (const count of [71, 1]) {
    projection.load(batchOf(rows.slice(0, count)), 0);
    const found = db.prepare(projection.selectSql).all() as Found[];
    expect(found.map((row) => row.row_index)).toEqual(rows.slice(0, count).map((_, at) => at));
  }
});

test('the projection reads by row id and without sorting', () => {
  const { selectSql } = createProjection(db, { schema: 'main', layers: layerCodes });
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${selectSql}`).all() as { detail: string }[];
  const steps = plan
    .map(({ detail }) => detail)
    .filter((detail) => /SCAN|SEARCH|B-TREE/.test(detail));
  expect(steps.filter((detail) => /SCAN|B-TREE/.test(detail))).toEqual(['SCAN m']);
});
