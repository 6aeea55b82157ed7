// Learns the weights of the company model on the train split of messy lists, calibrates them and
// chooses the threshold on the choose split, and writes resources/matching/company-weights.json:
// `node bench/train/train-companies.ts`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importDirectory } from '../../engine/directory/import/import-directory.ts';
import { companyFeatureKeys } from '../../engine/directory/match/companies/company-features.ts';
import {
  type CompanyModel,
  readCompanyModel,
  type StoredCompanyModel,
} from '../../engine/directory/match/companies/company-model.ts';
import type { CompanyCandidate } from '../../engine/directory/match/companies/list-company-candidates.ts';
import { readCompany } from '../../engine/directory/match/companies/read-company.ts';
import { calibrate, posteriors } from '../../engine/directory/match/graded/posterior.ts';
import {
  createCompanyComparison,
  leastShare,
  mayAnswer,
  scoreCompany,
} from '../../engine/directory/match/match-companies.ts';
import type { Judged, Learning } from '../leave-one-out.ts';
import { withDirectory } from '../matching-run.ts';
import {
  bestRival,
  type CompanyDirectory,
  createCompanyDirectory,
  explainCompany,
  listCompanyRows,
  readCompanyDirectory,
} from '../messy/company-directory.ts';
import { type MessyCompanyRow, makeCompanyRows } from '../messy/make-company-rows.ts';
import { writeCsv } from '../messy/messy-directory.ts';
import type { Split } from '../messy/sample-people.ts';
import { hashText } from '../messy/text.ts';
import { type Checked, calibrationOf } from './calibration.ts';
import { type Alternative, type Choice, learnWeights } from './logit.ts';

const orders = {
  train: { seed: 301, split: 'train', count: 16_000 },
  strangers: { seed: 303, split: 'train', count: 6_000 },
  few: { seed: 304, split: 'train', count: 5_000 },
  tiny: { seed: 305, split: 'train', count: 60 },
  choose: { seed: 302, split: 'choose', count: 6_000 },
} as const;
/** Required on the choose split. It is above the bar of 0.97, because real lists are harder. */
const precisionMin = 0.977;
const modelPath = join(import.meta.dirname, '../../resources/matching/company-weights.json');

/** A row with its candidates, or the answer that the first pass gives. */
export interface Open {
  /** MessyCompanyRow.id */
  readonly id: string;
  readonly kinds: readonly string[];
  readonly candidates: readonly CompanyCandidate[];
  /** Position of the true company among the candidates; -1 if it is not there. */
  readonly right: number;
  readonly hasAnswer: boolean;
  /** What the first pass answers by, if it answers. */
  readonly settledBy: 'name' | 'domain' | '';
  readonly isSettledRight: boolean;
}

const blank = readCompanyModel({
  weights: {},
  calibration: [],
  threshold: 0,
  exact: 1,
  domain: 1,
});

/** Lists the rows' candidates in a directory without the hidden companies. */
async function listOpenRows(
  directory: CompanyDirectory,
  lists: readonly (readonly MessyCompanyRow[])[],
): Promise<Open[][]> {
  return withDirectory(async (db, dir) => {
    const companiesPath = join(dir, 'companies.csv');
    writeCsv(companiesPath, listCompanyRows(directory));
    await importDirectory(db, { companiesPath });
    const ids = new Map(
      db.prepare('SELECT given_id, id FROM company').raw().all() as [string, number][],
    );
    const { settle, list } = createCompanyComparison(db, blank);
    return lists.map((rows) =>
      rows.map(({ id, kinds, cells, companyId }): Open => {
        const { company_name: name, domain, city, state } = cells;
        const row = readCompany({ name, domain, city, state });
        const settled = settle(row);
        const candidates = settled ? [] : list(row);
        const truth = companyId === '' ? -1 : ids.get(companyId)!;
        return {
          id,
          kinds,
          candidates,
          right: candidates.findIndex((one) => one.companyId === truth),
          hasAnswer: companyId !== '',
          settledBy: settled ? (row.name === '' ? 'domain' : 'name') : '',
          isSettledRight: settled?.companyId === truth,
        };
      }),
    );
  });
}

const nothing: Alternative = { ids: new Int32Array(0), values: new Float64Array(0) };

/** Rows whose company is not among the candidates teach no weights. */
const toChoices = (rows: readonly Open[]): Choice[] =>
  rows
    .filter(
      ({ candidates, right, hasAnswer }) => candidates.length > 0 && (right >= 0 || !hasAnswer),
    )
    .map(({ candidates, right }) => ({
      alternatives: [
        nothing,
        ...candidates.map(({ features }) => ({
          ids: Int32Array.from(features.ids),
          values: Float64Array.from(features.values),
        })),
      ],
      right: right + 1,
    }));

/** The best of a row's candidates. */
function chooseBest({ candidates, right }: Open, model: CompanyModel) {
  const shares = posteriors(
    candidates.map((candidate) => scoreCompany(candidate, model)),
    0,
  );
  const best = shares.indexOf(Math.max(...shares));
  const posterior = mayAnswer(candidates[best]!) ? shares[best]! : 0;
  return { posterior, isRight: best === right, least: leastShare(candidates[best]!, model) };
}

/** The best candidate of each open row. */
function answer(rows: readonly Open[], stored: StoredCompanyModel): Checked[] {
  const model = readCompanyModel(stored);
  return rows
    .filter(({ candidates }) => candidates.length > 0)
    .map((row) => chooseBest(row, model));
}

/** The answers of a model to rows, as the matcher gives them. */
export function judgeCompanies(rows: readonly Open[], stored: StoredCompanyModel): Judged[] {
  const model = readCompanyModel(stored);
  return rows.map((row) => {
    const { id, kinds, hasAnswer, settledBy, isSettledRight } = row;
    const truth = hasAnswer ? 'right' : '';
    const answerBy = (isRight: boolean, confidence: number): Judged => ({
      id,
      kinds,
      truth,
      confidence,
      answer: isRight ? truth : 'wrong',
    });
    const nothing = { id, kinds, truth, answer: '', confidence: 0 };
    if (settledBy !== '')
      return answerBy(isSettledRight, settledBy === 'name' ? model.exact : model.domain);
    if (row.candidates.length === 0) return nothing;
    const { posterior, isRight, least } = chooseBest(row, model);
    if (posterior < least || posterior === 0) return nothing;
    return answerBy(isRight, calibrate(model, posterior));
  });
}

/** The lowest posterior from which on enough answers are right. */
function chooseThreshold(answers: readonly Checked[], isSettledRight: readonly boolean[]): number {
  let right = isSettledRight.filter(Boolean).length;
  let all = isSettledRight.length;
  let threshold = 1;
  for (const { posterior, isRight } of answers.toSorted((a, b) => b.posterior - a.posterior)) {
    all++;
    if (isRight) right++;
    if (right / all >= precisionMin) threshold = posterior;
  }
  return threshold;
}

const rounded = (value: number): number => Number(value.toFixed(4));

const shareRight = (rows: readonly Open[], by: Open['settledBy']): number => {
  const answers = rows.filter(({ settledBy }) => settledBy === by);
  const right = answers.filter(({ isSettledRight }) => isSettledRight).length;
  return rounded((right + 1) / (answers.length + 2));
};

/** Trains a model on rows. */
export function trainCompanies(
  train: readonly Open[],
  chosen: readonly Open[],
): StoredCompanyModel {
  const weights = learnWeights(toChoices(train), companyFeatureKeys.length, { penalty: 2e-4 });
  const stored: StoredCompanyModel = {
    weights: Object.fromEntries(
      companyFeatureKeys
        .map((key, at) => [key, rounded(weights[at]!)] as const)
        .filter(([, weight]) => weight !== 0),
    ),
    calibration: [],
    threshold: 0,
    exact: shareRight(chosen, 'name'),
    domain: shareRight(chosen, 'domain'),
  };
  const answers = answer(chosen, stored);
  const settled = chosen.filter(({ settledBy }) => settledBy !== '');
  const threshold = chooseThreshold(
    answers,
    settled.map(({ isSettledRight }) => isSettledRight),
  );
  return {
    ...stored,
    threshold: rounded(threshold),
    calibration: calibrationOf(answers),
  };
}

/** The same companies without their other names. */
const withoutAliases = (directory: CompanyDirectory): CompanyDirectory => ({
  ...createCompanyDirectory(
    directory.companies.map((company) => ({ ...company, aliases: [] })),
    new Set(),
  ),
  isHidden: directory.isHidden,
});

/** The same directory with more hidden companies, whose rows are those of strangers. */
const withMoreHidden = (directory: CompanyDirectory): CompanyDirectory => ({
  ...directory,
  isHidden: (id) => directory.isHidden(id) || hashText(`hide more ${id}`) % 100 < moreHiddenPercent,
});

/**
 * One company of twenty, every second one hidden: in a small list, words are rarer than they are in
 * the names of all companies, and most rows mean a company that the list lacks.
 */
const withFew = (directory: CompanyDirectory): CompanyDirectory => ({
  ...createCompanyDirectory(
    directory.companies.filter(({ id }) => hashText(`few ${id}`) % 20 === 0),
    new Set(),
  ),
  isHidden: (id) => hashText(`few hidden ${id}`) % 2 === 0,
});

const tinyLists = { count: 40, companiesShare: 800 } as const;

/** Companies for a list of about a dozen, every second one hidden. */
const withTiny = (directory: CompanyDirectory, list: number): CompanyDirectory => ({
  ...createCompanyDirectory(
    directory.companies.filter(
      ({ id }) =>
        hashText(`tiny ${id}`) % tinyLists.companiesShare === list &&
        directory.splitOf(id) === 'train',
    ),
    new Set(),
  ),
  isHidden: (id) => hashText(`tiny hidden ${id}`) % 2 === 0,
});

const moreHiddenPercent = 40;
const tieMargin = 0.005;

/**
 * Rows of other names that companies really have, with and without their place, for a directory
 * that has none of these names.
 */
function makeAliasRows(
  directory: CompanyDirectory,
  bare: CompanyDirectory,
  split: Split,
): MessyCompanyRow[] {
  const rows: MessyCompanyRow[] = [];
  for (const company of directory.companies) {
    if (directory.splitOf(company.id) !== split) continue;
    const { held, unknown } = directory.aliasesOf(company);
    const isHidden = directory.isHidden(company.id);
    for (const name of [...held, ...unknown])
      for (const isPlaced of [false, true]) {
        const { city, state } = isPlaced ? company : { city: '', state: '' };
        if (isPlaced && city === '') continue;
        const cells = { company_name: name, domain: '', city, state };
        const own = explainCompany(cells, company, [name]);
        const best = bestRival(cells, company, bare);
        if (best > own - tieMargin) continue;
        rows.push({
          id: `alias-${split}-${rows.length + 1}`,
          split,
          cells,
          companyId: isHidden ? '' : company.id,
          reason: isHidden ? 'none' : '',
          kinds: ['alias-held', 'alias-unknown'],
          madeFrom: company.id,
        });
      }
  }
  return rows;
}

/** The rows that the shipped weights are learned from, and the rows of a report. */
export async function listLearningRows(
  directory: CompanyDirectory,
  report: readonly MessyCompanyRow[],
): Promise<Learning<Open> & { readonly report: readonly Open[] }> {
  const bare = withoutAliases(directory);
  const [train = [], calibration = [], reported = []] = await listOpenRows(directory, [
    makeCompanyRows(directory, orders.train),
    makeCompanyRows(directory, orders.choose),
    report,
  ]);
  const [aliases = []] = await listOpenRows(bare, [makeAliasRows(directory, bare, 'train')]);
  const hiding = withMoreHidden(directory);
  const [strangers = []] = await listOpenRows(hiding, [makeCompanyRows(hiding, orders.strangers)]);
  const bareHiding = withMoreHidden(bare);
  const [unknown = []] = await listOpenRows(bareHiding, [
    makeAliasRows(hiding, bareHiding, 'train'),
  ]);
  const small = withFew(directory);
  const [few = []] = await listOpenRows(small, [makeCompanyRows(small, orders.few)]);
  const tiny: Open[] = [];
  for (let list = 0; list < tinyLists.count; list++) {
    const own = withTiny(directory, list);
    if (new Set(own.companies.map(({ id }) => own.isHidden(id))).size < 2) continue;
    const order = { ...orders.tiny, seed: orders.tiny.seed + 1_000 * list };
    const [rows = []] = await listOpenRows(own, [makeCompanyRows(own, order)]);
    tiny.push(...rows);
  }
  // Real names are rarer than generated ones, so they count twice.
  const training = [
    ...train,
    ...strangers,
    ...few,
    ...tiny,
    ...aliases,
    ...aliases,
    ...unknown,
    ...unknown,
  ];
  return { training, calibration, report: reported };
}

if (import.meta.main) {
  const { training, calibration } = await listLearningRows(readCompanyDirectory(), []);
  const model = trainCompanies(training, calibration);
  writeFileSync(modelPath, `${JSON.stringify(model)}\n`);
  console.log(`threshold ${model.threshold}, exact ${model.exact}, domain ${model.domain}`);
}
