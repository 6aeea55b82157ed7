// Generates a directory and a noisy list of any size for the benchmarks, the same for the same
// seed.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { formatRecord } from '../engine/spreadsheet/format-record.ts';
import { type Company, createCountryDraw, makeCompanies } from './generate-companies.ts';
import { createDraws } from './generate-draws.ts';
import { makeList } from './generate-list.ts';
import { createNames } from './generate-names.ts';
import { createPeople, makePeople } from './generate-people.ts';

/** The size of the generated data. */
export interface Sizes {
  readonly people: number;
  readonly companies: number;
  readonly rows: number;
  readonly seed: number;
}

/** The paths of the files. `truth` has one Int32 per row: the number of the person, or -1. */
export interface Generated {
  readonly people: string;
  readonly companies: string;
  readonly list: string;
  readonly truth: string;
}

/** Writes lines in chunks of about a megabyte. */
function writeLines(path: string, lines: Iterable<readonly string[]>): void {
  const handle = openSync(path, 'w');
  let piece = '';
  for (const cells of lines) {
    piece += formatRecord(cells, '\n');
    if (piece.length < 1_000_000) continue;
    writeSync(handle, piece);
    piece = '';
  }
  writeSync(handle, piece);
  closeSync(handle);
}

/** Writes only companies.csv into a folder, which is created if missing; returns its path. */
export function generateCompanies(folder: string, count: number, seed: number): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'companies.csv');
  const draws = createDraws(seed);
  const made = { count, companies: null };
  writeLines(path, makeCompanies(draws, createNames(draws), createCountryDraw(draws), made));
  return path;
}

/** Writes all four files into a folder, which is created if missing. */
export function generate(folder: string, sizes: Sizes): Generated {
  mkdirSync(folder, { recursive: true });
  const files: Generated = {
    people: join(folder, 'people.csv'),
    companies: join(folder, 'companies.csv'),
    list: join(folder, 'list.csv'),
    truth: join(folder, 'truth.i32'),
  };
  const draws = createDraws(sizes.seed);
  const names = createNames(draws);
  const drawCountry = createCountryDraw(draws);
  const companies: Company[] = [];
  const made = { count: sizes.companies, companies };
  writeLines(files.companies, makeCompanies(draws, names, drawCountry, made));
  const drawCompany = draws.spread(sizes.companies, 0.75);
  const people = createPeople(sizes.people);
  const sources = { draws, names, drawCountry, drawCompany, companies, people };
  writeLines(files.people, makePeople(sources, people));
  const truth = new Int32Array(sizes.rows);
  writeLines(files.list, makeList(sources, truth));
  writeFileSync(files.truth, new Uint8Array(truth.buffer));
  return files;
}
