/** Finds rows by the name of the import, or of the data service, that a value of theirs is from. */
import { expandProvenance } from '../../../directory/read/provenance.ts';
import type { ResultRecord } from '../result.table.ts';
import { readFields } from '../result-fields.ts';

/** A result, as far as its origin is read. */
type SourcedResult = Pick<ResultRecord, 'fields' | 'provenance'>;

/** Names that JSON writes as they are. */
const plain = /^[^"\\\p{Cc}]*$/u;

/** Whether a found value of a row is from a source. */
export function createOriginFilter(origin: string): (record: SourcedResult) => boolean {
  const written = plain.test(origin) ? `"${origin}"` : '"';
  return ({ fields, provenance }) => {
    // Most rows are decided here, without parsing.
    if (fields === '{}' || !provenance?.includes(written)) return false;
    const names = Object.keys(readFields({ fields }));
    return Object.values(expandProvenance(provenance, names)).some(
      ({ source }) => source === origin,
    );
  };
}
