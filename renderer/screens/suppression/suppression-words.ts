// The words of the suppression list.
import {
  describeHidden,
  type SuppressionEntry,
  type SuppressionKind,
  type SuppressionReport,
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

export const describeReport = (report: SuppressionReport): string =>
  `${showCount(report.added)} added, ${showCount(report.known)} already listed, ` +
  `${showCount(report.unreadable)} unreadable. ${describeHidden(report, showCount)}`;
