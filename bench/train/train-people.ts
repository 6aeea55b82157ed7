// Learns the weights of the graded comparison from messy lists and writes them to
// resources/matching/weights.json: `node bench/train/train-people.ts`. Two rounds: the first
// one chooses the best reading of each person by the weights as they are, the second by the new
// ones. The calibration is learned from rows that no weight was learned from.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIndex } from '../../engine/directory/index/index-build.ts';
import type { MatchIndex } from '../../engine/directory/index/index-layout.ts';
import { type FeatureList, listFeatureKeys } from '../../engine/directory/match/graded/features.ts';
import { createGradedMatcher } from '../../engine/directory/match/graded/graded-matcher.ts';
import {
  loadModel,
  type MatchModel,
  readModel,
  type StoredModel,
} from '../../engine/directory/match/graded/model.ts';
import { createMatcher } from '../../engine/directory/match/match-rows.ts';
import { openDirectory } from '../../engine/directory/open-directory.ts';
import { resourcesDir } from '../../engine/platform/paths.ts';
import type { ReadableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import type { LearningRows, Train } from '../leave-one-out.ts';
import { answerRows } from '../matching-run.ts';
import {
  type MessyOrder,
  type MessyRow,
  makePeopleRows,
  makeSparseRows,
} from '../messy/make-people-rows.ts';
import { importMessyDirectory } from '../messy/messy-directory.ts';
import { type Directory, readSampleDirectory } from '../messy/sample-people.ts';
import { smoothCalibrationOf } from './calibration.ts';
import { type Alternative, type Choice, learnWeights, shareOut } from './logit.ts';

const orders = {
  training: { seed: 101, split: 'train', count: 30_000 },
  calibration: { seed: 102, split: 'choose', count: 8_000 },
} as const;
/** Rows without an employer besides, for each row: the kinds of dirt make few. */
const sparseShare = 0.13;
const alternativesMax = 10;
const rounds = 2;
const weightMin = 1e-4;

/** A row with its alternatives: no one, then the candidates. */
interface Example {
  readonly choice: Choice;
  /** The right person is among the candidates, or no one is right. */
  readonly isUsable: boolean;
  /** No veto applies, so the model's answer counts. */
  readonly isAnswered: boolean;
}

/** The directory that the rows are about. */
interface Source {
  readonly index: MatchIndex;
  readonly givenIdOf: (person: number) => string;
}

/** The rows that the shipped weights are learned from. */
export function makeLearningRows(directory: Directory): LearningRows {
  const make = (order: MessyOrder): MessyRow[] => [
    ...makePeopleRows(directory, order),
    ...makeSparseRows(directory, { ...order, count: order.count * sparseShare }),
  ];
  return { training: make(orders.training), calibration: make(orders.calibration) };
}

function readSource(db: ReadableDatabase): Source {
  const index = buildIndex(db);
  const readGiven = db.prepare('SELECT given_id FROM person WHERE id = ?').pluck();
  return {
    index,
    givenIdOf: (person) => readGiven.get(index.sections.personIds[person]!) as string,
  };
}

const copyOf = ({ ids, values, length }: FeatureList): Alternative => ({
  ids: ids.slice(0, length),
  values: values.slice(0, length),
});

/** Lists the alternatives of a row, with the best reading of each person by a model. */
function createExampleLister({ index, givenIdOf }: Source, model: MatchModel) {
  const features = new Map<number, Alternative>();
  let nobody: Alternative | null = null;
  const match = createGradedMatcher(index, model, {
    nobody: (list) => {
      nobody = copyOf(list);
    },
    candidate: (person, list) => features.set(person, copyOf(list)),
  });
  return ({ cells, personId, reason }: MessyRow): Example => {
    features.clear();
    const { candidates, veto } = match((cell) => cells[cell], null);
    // Strangers teach what the evidence is worth where no rule applies.
    const canTeach = veto === null || veto === 'other_name';
    const listed = candidates.slice(0, alternativesMax);
    const right = listed.findIndex(({ person }) => givenIdOf(person) === personId);
    const alternatives = [nobody!, ...listed.map(({ person }) => features.get(person)!)];
    return {
      choice: { alternatives, right: right + 1 },
      isAnswered: veto === null && alternatives.length > 1,
      isUsable: canTeach && reason !== 'ambiguous' && (personId === '' || right >= 0),
    };
  };
}

function storeWeights(weights: Float64Array): Record<string, number> {
  const stored: Record<string, number> = {};
  for (const [at, key] of listFeatureKeys().entries())
    if (Math.abs(weights[at]!) >= weightMin) stored[key] = Number(weights[at]!.toFixed(4));
  return stored;
}

/** Trains weights that make the right alternatives likely, without a calibration. */
function learn(examples: readonly Example[]): StoredModel {
  const choices = examples.filter(({ isUsable }) => isUsable).map(({ choice }) => choice);
  return {
    weights: storeWeights(learnWeights(choices, listFeatureKeys().length)),
    calibration: [],
  };
}

/** Adds a calibration that rows teach. */
function calibrateBy(examples: readonly Example[], stored: StoredModel): StoredModel {
  const { weights } = readModel(stored);
  const checked = examples.flatMap(({ isAnswered, choice: { alternatives, right } }) => {
    if (!isAnswered) return [];
    const shares = shareOut(alternatives, weights);
    const best = shares.indexOf(Math.max(...shares.slice(1)), 1);
    return [{ posterior: shares[best]!, isRight: best === right }];
  });
  return { ...stored, calibration: smoothCalibrationOf(checked) };
}

/** A directory, and the alternatives of rows by the shipped weights. */
interface Lister {
  readonly index: MatchIndex;
  readonly exampleOf: (row: MessyRow) => Example;
}

const listers = new WeakMap<ReadableDatabase, Lister>();

function createLister(db: ReadableDatabase): Lister {
  const source = readSource(db);
  const list = createExampleLister(source, loadModel());
  const examples = new WeakMap<MessyRow, Example>();
  const exampleOf = (row: MessyRow): Example => {
    const example = examples.get(row) ?? list(row);
    examples.set(row, example);
    return example;
  };
  return { index: source.index, exampleOf };
}

/**
 * Trains a matcher in one round. The alternatives of each row are listed once for a directory, by
 * the shipped weights, so that many matchers can be trained on parts of the same rows.
 */
export const train: Train = ({ training, calibration }, db) => {
  const lister = listers.get(db) ?? createLister(db);
  listers.set(db, lister);
  const learned = learn(training.map(lister.exampleOf));
  const model = calibrateBy(calibration.map(lister.exampleOf), learned);
  const matcher = createMatcher(lister.index, readModel(model));
  return (rows) => answerRows(db, matcher, rows, 0);
};

if (import.meta.main) {
  const dir = mkdtempSync(join(tmpdir(), 'train-'));
  const db = openDirectory(dir);
  try {
    const directory = readSampleDirectory();
    await importMessyDirectory(db, dir, directory);
    const source = readSource(db);
    const { training, calibration } = makeLearningRows(directory);
    let model = loadModel();
    let learned: StoredModel = { weights: {}, calibration: [] };
    for (let round = 1; round <= rounds; round++) {
      const examples = training.map(createExampleLister(source, model));
      learned = learn(examples);
      model = readModel(learned);
      console.log(`round ${round}: ${examples.length} rows`);
    }
    const stored = calibrateBy(calibration.map(createExampleLister(source, model)), learned);
    const path = join(resourcesDir(), 'matching', 'weights.json');
    writeFileSync(path, `${JSON.stringify(stored, null, 1)}\n`);
    console.log(`${Object.keys(stored.weights).length} weights → ${path}`);
  } finally {
    db.close();
    rmSync(dir, { recursive: true });
  }
}
