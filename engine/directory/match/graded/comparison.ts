// What comparing rows over one index needs.
import type { MatchIndex } from '../../index/index-layout.ts';
import type { FeatureList } from './features.ts';
import type { CandidateLister } from './list-candidates.ts';
import type { MatchModel } from './model.ts';
import type { OrgResolver } from './organisations/resolve-organisation.ts';
import type { PersonView } from './people-view.ts';
import type { ReadingSources } from './readings/read-row.ts';
import type { KnownWords } from './readings/row-signs.ts';

/** Called with the features of what is weighed, for training. */
export interface FeatureSink {
  nobody(features: FeatureList): void;
  /** The features of a candidate replace those of a worse reading of the same person. */
  candidate(person: number, features: FeatureList): void;
}

/** The parts of a graded matcher, not to be shared between threads. */
export interface Comparison {
  readonly index: MatchIndex;
  readonly model: MatchModel;
  readonly sink: FeatureSink | undefined;
  readonly resolver: OrgResolver;
  readonly sources: ReadingSources;
  readonly known: KnownWords;
  readonly readPerson: (person: number) => PersonView;
  readonly lister: CandidateLister;
}
