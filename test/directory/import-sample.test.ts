// The bundled sample is imported completely, and importing it again changes nothing.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { sampleFiles, sampleSource, unpackSample } from '../../engine/directory/import/sample.ts';
import { openDirectory, readGeneration } from '../../engine/directory/open-directory.ts';
import { readStats } from '../../engine/directory/stats.ts';

test('the sample is imported whole, and a second time without any change', {
  tags: ['full'],
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-sample-'));
  const db = openDirectory(folder);
  const { people, companies } = await unpackSample(join(folder, 'sample'));
  const request = { peoplePath: people, companiesPath: companies, source: sampleSource };
  const first = await importDirectory(db, request);
  expect(first).toMatchObject({
    rows_read: 28_668 + 14_810,
    people_added: 23_051,
    employments_added: 28_668,
    companies_added: 14_810,
    rows_refused: 0,
    // A council in the column of names, and a person that is twice in the sample.
    remarks: [
      { message: expect.stringMatching(/City Council" is the name of an organisation/) },
      { message: expect.stringMatching(/are of one person/) },
    ],
  });
  expect(readStats(db)).toMatchObject({ people: 23_051, employments: 28_668, companies: 14_810 });
  const generation = readGeneration(db);
  const second = await importDirectory(db, request);
  expect(second).toMatchObject({
    people_unchanged: 23_051,
    companies_unchanged: 14_810,
    people_updated: 0,
    people_added: 0,
    companies_added: 0,
    companies_updated: 0,
    employments_added: 0,
  });
  expect(readGeneration(db)).toBe(generation);
  expect(db.prepare('SELECT count(*) FROM value_claim').pluck().get()).toBe(0);
  db.close();
  rmSync(folder, { recursive: true });
});

test('the sample contacts are a list to try at once', () => {
  const lines = readFileSync(sampleFiles().contacts, 'utf8').trim().split('\n');
  expect(lines[0]).toBe('First name,Last name,Company,Email,Profile URL,Owner,Notes');
  expect(lines).toHaveLength(61);
});
