// The words of the suppression list.
import type {
  SuppressionEntry,
  SuppressionKind,
  SuppressionReport,
} from '../../../engine/contract/suppression/suppression.ts';
import { showCount } from '../../components/numbers.ts';

export const kindLabels: Readonly<Record<SuppressionKind, string>> = {
  person: 'Person',
  email: 'Email',
  domain: 'Domain',
  company: 'Company',
  phone: 'Phone',
  profile_url: 'Profile URL',
};

export const sourceLabels: Readonly<Record<SuppressionEntry['source'], string>> = {
  app: 'the app',
  csv: 'a CSV file',
  command_line: 'the command line',
  refusal: 'a legal refusal',
};

export const describeReport = ({ added, known, unreadable }: SuppressionReport): string =>
  `${showCount(added)} added, ${showCount(known)} already listed, ` +
  `${showCount(unreadable)} unreadable.`;
