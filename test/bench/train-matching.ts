/**
 * Learns the weights of the graded comparison from messy lists and writes them to
 * resources/matching/weights.json: `node test/bench/train-matching.ts`. Two rounds: the first one
 * chooses the best reading of each person by the weights as they are, the second by the new ones.
 * The calibration is learned from rows that no weight was learned from.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIndex } from '../../engine/directory/index/index-build.ts';
import type { MatchIndex } from '../../engine/directory/index/index-layout.ts';
import { type FeatureList, listFeatureKeys } from '../../engine/directory/match/graded/features.ts';
import { createGradedMatcher } from '../../engine/directory/match/graded/graded-matcher.ts';
import {
  loadModel,
  readModel,
  type StoredModel,
} from '../../engine/directory/match/graded/model.ts';
import { openDirectory } from '../../engine/directory/open-directory.ts';
import { resourcesDir } from '../../engine/platform/paths.ts';
import { type MessyRow, makePeopleRows } from './messy/make-people-rows.ts';
import { importMessyDirectory } from './messy/messy-directory.ts';
import { readSampleDirectory } from './messy/sample-people.ts';
import { calibrationOf } from './train/calibration.ts';
import { type Alternative, type Choice, learnWeights, shareOut } from './train/logit.ts';

const trainingRows = { seed: 101, split: 'train', count: 12_000 } as const;
const calibrationRows = { seed: 102, split: 'choose', count: 6_000 } as const;
const alternativesMax = 10;
const rounds = 2;
const weightMin = 1e-4;

/** A row with its alternatives: nobody, then the candidates. */
interface Example {
  readonly choice: Choice;
  /** The right person is among the candidates, or no one is right. */
  readonly isUsable: boolean;
  /** The model's answer counts: nothing forbids one. */
  readonly isAnswered: boolean;
}

const copyOf = ({ ids, values, length }: FeatureList): Alternative => ({
  ids: ids.slice(0, length),
  values: values.slice(0, length),
});

/** The alternatives of each row, by a model. */
function listExamples(
  index: MatchIndex,
  givenIdOf: (person: number) => string,
  rows: readonly MessyRow[],
  stored: StoredModel,
): Example[] {
  const features = new Map<number, Alternative>();
  let nobody: Alternative | null = null;
  const match = createGradedMatcher(index, readModel(stored), {
    nobody: (list) => {
      nobody = copyOf(list);
    },
    candidate: (person, list) => features.set(person, copyOf(list)),
  });
  return rows.map(({ cells, personId, reason }) => {
    features.clear();
    const { candidates, veto } = match((cell) => cells[cell], null);
    const listed = candidates.slice(0, alternativesMax);
    const right = listed.findIndex(({ person }) => givenIdOf(person) === personId);
    const alternatives = [nobody!, ...listed.map(({ person }) => features.get(person)!)];
    return {
      choice: { alternatives, right: right + 1 },
      isAnswered: veto === null && alternatives.length > 1,
      isUsable: veto === null && reason !== 'ambiguous' && (personId === '' || right >= 0),
    };
  });
}

function storeWeights(weights: Float64Array): Record<string, number> {
  const stored: Record<string, number> = {};
  for (const [at, key] of listFeatureKeys().entries())
    if (Math.abs(weights[at]!) >= weightMin) stored[key] = Number(weights[at]!.toFixed(4));
  return stored;
}

const dir = mkdtempSync(join(tmpdir(), 'train-'));
const db = openDirectory(dir);
try {
  const directory = readSampleDirectory();
  await importMessyDirectory(db, dir, directory);
  const index = buildIndex(db);
  const readGiven = db.prepare('SELECT given_id FROM person WHERE id = ?').pluck();
  const givenIdOf = (person: number): string =>
    readGiven.get(index.sections.personIds[person]!) as string;
  const training = makePeopleRows(directory, trainingRows);
  let stored: StoredModel = { weights: storeWeights(loadModel().weights), calibration: [] };
  for (let round = 1; round <= rounds; round++) {
    const examples = listExamples(index, givenIdOf, training, stored);
    const choices = examples.filter(({ isUsable }) => isUsable).map(({ choice }) => choice);
    const weights = learnWeights(choices, listFeatureKeys().length);
    stored = { weights: storeWeights(weights), calibration: [] };
    console.log(`round ${round}: ${choices.length} of ${examples.length} rows`);
  }
  const { weights } = readModel(stored);
  const checked = listExamples(
    index,
    givenIdOf,
    makePeopleRows(directory, calibrationRows),
    stored,
  ).flatMap(({ isAnswered, choice: { alternatives, right } }) => {
    if (!isAnswered) return [];
    const shares = shareOut(alternatives, weights);
    const best = shares.indexOf(Math.max(...shares.slice(1)), 1);
    return [{ posterior: shares[best]!, isRight: best === right }];
  });
  const path = join(resourcesDir(), 'matching', 'weights.json');
  const model: StoredModel = { ...stored, calibration: calibrationOf(checked) };
  writeFileSync(path, `${JSON.stringify(model, null, 1)}\n`);
  console.log(`${Object.keys(model.weights).length} weights → ${path}`);
} finally {
  db.close();
  rmSync(dir, { recursive: true });
}
