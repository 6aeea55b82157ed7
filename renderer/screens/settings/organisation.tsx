/** The organisation's rules, and where each comes from. */
import { Skeleton, Stack, Table, Text } from '@mantine/core';
import type {
  RuleInForce,
  Organisation as Rules,
} from '../../../engine/contract/team/team-config.ts';
import { useOrganisation } from '../../api/privacy/organisation.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import tableClasses from '../../components/table.module.css';
import { describeRule, sourceNames } from './organisation-words.ts';

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
        {name ?? 'Your organisation'} sets these rules. The engine refuses other values.
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
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {sources.map(({ kind, place }) => `${sourceNames[kind]}: ${place}`).join(' · ')}
      </Text>
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
