// Prints how often inferred emails are right, by their probability, on addresses that were removed
// from the directory before it was imported.
//
// The shares of habits in the product are from the real domains of the learning half. The report is
// on the other half alone, so that neither the domain nor the address of a figure was ever seen.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createEmailInference } from '../../engine/directory/email-patterns/infer-emails.ts';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { sampleFiles } from '../../engine/directory/import/sample.ts';
import { emailDomain } from '../../engine/directory/normalize/normalize-email.ts';
import { withDirectory } from '../matching-run.ts';
import { writeCsv } from '../messy/messy-directory.ts';
import { type CsvRow, readCsv } from '../messy/sample-people.ts';
import { hashText } from '../messy/text.ts';
import { makeOrganisations } from './make-organisations.ts';

/** An inference with the truth. */
interface Judged {
  readonly probability: number;
  readonly isRight: boolean;
}

/** What came of the people whose address was removed. */
interface Report {
  readonly people: number;
  readonly judged: readonly Judged[];
}

const seed = 20_264;
/** The least share of right answers among those that claim at least 0.9. */
const bar = 0.9;
const bands = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95] as const;

/** Whether a domain is in the half that the product has not learned from. */
const isReported = (domain: string): boolean =>
  (createHash('sha256').update(`emails ${domain}`).digest()[0] ?? 0) % 2 === 1;

/** Removes the addresses of a share of the people, and infers them from the others. */
async function hideAndInfer(
  rows: readonly CsvRow[],
  share: number,
  isMeant: (domain: string) => boolean,
): Promise<Report> {
  const isHidden = ({ person_id: id }: CsvRow) =>
    hashText(`email ${share} ${id}`) % 100 < share * 100;
  const truth = new Map<string, Set<string>>();
  const visible = rows.map((row) => {
    const email = row.email?.toLowerCase() ?? '';
    if (email === '' || !isHidden(row)) return row;
    const known = truth.get(row.person_id ?? '') ?? new Set();
    truth.set(row.person_id ?? '', known.add(email));
    return { ...row, email: '' };
  });
  return withDirectory(async (db, dir) => {
    const peoplePath = join(dir, 'people.csv');
    writeCsv(peoplePath, visible);
    await importDirectory(db, { peoplePath });
    const inference = createEmailInference(db, 'main');
    const people = db
      .prepare<[], { id: number; given: string }>(
        'SELECT id, given_id AS given FROM person WHERE has_left = 0',
      )
      .all();
    const judged: Judged[] = [];
    let count = 0;
    for (const { id, given } of people) {
      const emails = truth.get(given);
      if (!emails || ![...emails].some((email) => isMeant(emailDomain(email)))) continue;
      count += 1;
      const found = await inference.infer(id);
      if (found) judged.push({ probability: found.probability, isRight: emails.has(found.email) });
    }
    return { people: count, judged };
  });
}

const shareOf = (judged: readonly Judged[]): number =>
  judged.filter(({ isRight }) => isRight).length / judged.length;

function printBands(title: string, { people, judged }: Report): void {
  console.log(`\n${title}: ${judged.length} of ${people} people got an address`);
  console.log('  probability   answers   mean     right');
  for (const [at, from] of bands.entries()) {
    const to = bands[at + 1] ?? 1.01;
    const inBand = judged.filter(({ probability: p }) => p >= from && p < to);
    if (inBand.length === 0) continue;
    const mean = inBand.reduce((sum, { probability }) => sum + probability, 0) / inBand.length;
    const range = `  ${from.toFixed(2)} to ${Math.min(1, to).toFixed(2)}`;
    const count = String(inBand.length).padStart(8);
    console.log(`${range} ${count}   ${mean.toFixed(3)}    ${shareOf(inBand).toFixed(3)}`);
  }
  const sure = judged.filter(({ probability }) => probability >= bar);
  const share = shareOf(sure);
  const verdict = share >= bar ? 'pass' : 'FAIL';
  console.log(
    `  at least ${bar}: ${share.toFixed(3)} of ${sure.length} right (≥ ${bar} ${verdict})`,
  );
}

/** Prints the figures for real addresses, and for organisations that are generated. */
export async function reportInferredEmails(): Promise<void> {
  const rows = readCsv(sampleFiles().people);
  for (const share of [0.1, 0.5, 0.8])
    printBands(
      `Inferred emails, ${share * 100} % of real addresses removed`,
      await hideAndInfer(rows, share, isReported),
    );
  printBands(
    'Inferred emails, half of generated addresses removed',
    await hideAndInfer([...makeOrganisations(seed)], 0.5, () => true),
  );
}
