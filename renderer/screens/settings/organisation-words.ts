/** How Settings describe the rules of an organisation. */
import { nameLayer } from '../../../engine/contract/jobs/layers.ts';
import { rateCodes } from '../../../engine/contract/rates.ts';
import {
  type RetentionKind,
  type RetentionRule,
  retentionKinds,
} from '../../../engine/contract/retention/retention.ts';
import type { RuleInForce, RuleSource } from '../../../engine/contract/team/team-config.ts';
import { showCount, showCredits } from '../../components/numbers.ts';
import { showDays } from './retention-words.ts';

export const sourceNames: Readonly<Record<RuleSource['kind'], string>> = {
  managed: 'device management',
  policy_file: 'policy file',
  packed: 'the app itself',
  app_folder: 'team.json next to the app',
};

const names: Readonly<Record<string, string>> = {
  upstream: 'The other engine',
  providers: 'Data services',
  'caps.keys.per_call': 'Credits per request of a key',
  'caps.keys.per_day': 'Credits per day of a key',
  'caps.keys.per_month': 'Credits per month of a key',
  'settings.match_threshold': 'Match threshold',
  'settings.charge_policy': 'Price of an enriched row',
  'settings.free_repeat_days': 'Days without a second charge',
  'settings.infer_emails': 'Infer work emails',
  'settings.monitor_charge': 'What a monitor charges',
  'updates.mode': 'Updates',
  'updates.feed': 'Updates from',
  'updates.channel': 'Update channel',
  'updates.key': 'Update key',
};

const words: Readonly<Record<string, string>> = {
  true: 'on',
  false: 'off',
  row: 'every selected layer',
  layers_found: 'layers with data',
  answers: 'every answer',
  changes: 'changes only',
};
const showValue = (value: unknown): string => words[String(value)] ?? String(value);

type Rate = { readonly price?: string; readonly active?: boolean };
const showRate = ({ price, active }: Rate): string =>
  [
    ...(price === undefined ? [] : [`${showCredits(price)} credits`]),
    ...(active === undefined ? [] : [showValue(active)]),
  ].join(', ');

function describeRetention(kind: string, { binding, days }: RetentionRule) {
  const most = binding === 'at_most' ? 'at most ' : '';
  const label = retentionKinds[kind as RetentionKind].label;
  return { what: `${label}, kept`, value: `${most}${showDays(days)}` };
}

/** What a rule is about, and its value. */
export function describeRule({ path, value: json }: RuleInForce): { what: string; value: string } {
  const value: unknown = JSON.parse(json);
  const [group = '', name = '', ...rest] = path.split('.');
  if (group === 'retention') return describeRetention(name, value as RetentionRule);
  if (group === 'rates') {
    const code = rateCodes.find((one) => one === name);
    const what =
      code === undefined || code === 'email_validation' ? 'Email validation' : nameLayer(code);
    return { what, value: showRate(value as Rate) };
  }
  const what = names[path];
  if (path === 'upstream')
    return { what: what ?? path, value: (value as { address: string }).address };
  if (path === 'providers') {
    const { allowed } = value as { allowed: string[] };
    return { what: what ?? path, value: allowed.join(', ') || 'none' };
  }
  if (group === 'caps' && what === undefined)
    return {
      what: `Credits per ${rest[1] ?? ''} at ${rest[0] ?? ''}`,
      value: `at most ${showCount(Number(value))}`,
    };
  if (group === 'caps')
    return { what: what ?? path, value: `at most ${showCredits(String(value))}` };
  const plain = group === 'settings' ? (value as { value: unknown }).value : value;
  return { what: what ?? path, value: showValue(plain) };
}
