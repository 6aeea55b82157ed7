// Whether a row and a person have so much in common that the matcher compares them. It answers no
// one else, so that an answer of another machine is checked without its directory.
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import type { MatchIndex } from '../index/index-layout.ts';
import { findPerson } from './compare-names.ts';
import { createGradedPairCheck } from './graded/graded-matcher.ts';
import { loadModel } from './graded/model.ts';
import { readQuery } from './match-query.ts';
import { createCompanyResolver } from './match-resolve.ts';
import { judge } from './match-score.ts';

/** A check over an index; not to be shared between threads. Throws if the model is missing. */
export function createPairCheck(
  index: MatchIndex,
): (cells: readonly string[], mapping: ColumnMapping, personId: number) => boolean {
  const resolver = createCompanyResolver(index);
  const areGraded = createGradedPairCheck(index, loadModel());
  return (cells, mapping, personId) => {
    const person = findPerson(index, personId);
    if (person < 0) return false;
    const { query, holders } = readQuery(index, resolver, cells, mapping);
    if (judge(index, resolver, query, holders, person, true).score > 0) return true;
    return areGraded((cell) => {
      const column = mapping[cell];
      return column === undefined ? '' : (cells[column] ?? '');
    }, person);
  };
}
