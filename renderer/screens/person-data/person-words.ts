// Words of the screen about the data of one person.
import type {
  PersonIdentity,
  PlaceTreatment,
} from '../../../engine/contract/person-data/person-data.ts';
import { showCount } from '../../components/numbers.ts';

export const treatmentLabels: Readonly<Record<PlaceTreatment, string>> = {
  deleted: 'Deleted',
  anonymised: 'Values removed',
  kept: 'Kept',
};

export const identityLabels: Readonly<Record<keyof PersonIdentity, string>> = {
  names: 'Names',
  emails: 'Emails',
  phones: 'Phones',
  profile_urls: 'Profile URLs',
  employers: 'Employers',
  ids: 'Ids',
};

/** "1 entry", "3,270 entries". */
export const countEntries = (count: number): string =>
  `${showCount(count)} ${count === 1 ? 'entry' : 'entries'}`;
