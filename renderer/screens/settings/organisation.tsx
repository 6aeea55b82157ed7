// The organisation's rules, and where each comes from.
import { Skeleton, Stack, Table, Text } from '@mantine/core';
import { nameLayer } from '../../../engine/contract/jobs/layers.ts';
import { rateCodes } from '../../../engine/contract/rates.ts';
import {
  type RetentionKind,
  type RetentionRule,
  retentionKinds,
} from '../../../engine/contract/retention/retention.ts';
import type {
  RuleInForce,
  RuleSource,
  Organisation as Rules,
} from '../../../engine/contract/team/team-config.ts';
import { useOrganisation } from '../../api/privacy/organisation.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { showCount, showCredits } from '../../components/numbers.ts';
import tableClasses from '../../components/table.module.css';
import { Caption } from '../../components/text.tsx';
import { showDays } from './retention-words.ts';

const sourceNames: Readonly<Record<RuleSource['kind'], string>> = {
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

function describeRule({ path, value: json }: RuleInForce): { what: string; value: string } {
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

function RuleRow({ rule }: { rule: RuleInForce }) {
  const { what, value } = describeRule(rule);
  return (
    <Table.Tr>
      <Table.Td>{what}</Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
      <Table.Td>{rule.is_locked ? 'locked' : 'default for new accounts'}</Table.Td>
      <Table.Td>{sourceNames[rule.source.kind]}</Table.Td>
    </Table.Tr>
  );
}

function RuleTable({ organisation: { name, rules, sources } }: { organisation: Rules }) {
  return (
    <Stack gap="md">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {name ?? 'Your organisation'} sets these rules. The engine refuses other values where they
        are locked.
      </Text>
      <Table.ScrollContainer minWidth={420}>
        <Table className={tableClasses.table} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Rule</Table.Th>
              <Table.Th>Value</Table.Th>
              <Table.Th>In the app</Table.Th>
              <Table.Th>From</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rules
              .filter(({ path }) => path !== 'organisation')
              .map((rule) => (
                <RuleRow key={rule.path} rule={rule} />
              ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Caption style={{ overflowWrap: 'anywhere' }}>
        {sources.map(({ kind, place }) => `${sourceNames[kind]}: ${place}`).join(' · ')}
      </Caption>
    </Stack>
  );
}

export function Organisation() {
  const { data, error, refetch } = useOrganisation();
  if (error && !data)
    return (
      <ErrorPanel
        title="The organisation’s rules could not be loaded"
        error={error}
        onRetry={refetch}
      />
    );
  if (!data) return <Skeleton height={40} />;
  if (data.sources.length === 0)
    return <Text size="sm">No organisation sets rules for this app.</Text>;
  return <RuleTable organisation={data} />;
}
