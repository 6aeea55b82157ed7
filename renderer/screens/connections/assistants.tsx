/** Apps connected by the authorization server: their limits, use and revocation. */

import { Badge, Code, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { authorizations, type Connection } from '../../../engine/contract/oauth.ts';
import { ask } from '../../api/client.ts';
import { Ago } from '../../components/ago.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Section } from '../../components/section.tsx';
import tableClasses from '../../components/table.module.css';
import { TableCard } from '../../components/table-card.tsx';
import { AssistantsLogin } from './assistants-login.tsx';
import classes from './connections.module.css';
import { IdentityProvider } from './identity-provider.tsx';
import { RevokeButton, Spending } from './keys-table.tsx';

/** The engine records the use of keys once a minute. */
const refreshIntervalMs = 3_000;

function ConnectionRow({
  item,
  now,
  environment,
}: {
  item: Connection;
  now: number;
  environment: EnvironmentName;
}) {
  return (
    <Table.Tr>
      <Table.Td className={tableClasses.name}>
        <div className={classes.label}>{item.client_name}</div>
        <Group gap={6}>
          <Code fz="xs">{item.redirect_host}</Code>
          <Badge variant="default" size="sm" tt="none">
            unverified
          </Badge>
        </Group>
      </Table.Td>
      <Table.Td className={tableClasses.steady}>
        <Ago time={item.created_at} now={now} />
      </Table.Td>
      <Table.Td className={tableClasses.steady}>
        {item.last_used_at ? <Ago time={item.last_used_at} now={now} /> : 'never'}
      </Table.Td>
      <Table.Td className={tableClasses.number}>
        <Spending spent={item.spent_today} cap={item.cap_per_day} period="day" />
      </Table.Td>
      <Table.Td className={tableClasses.number}>
        <Spending spent={item.spent_this_month} cap={item.cap_per_month} period="month" />
      </Table.Td>
      <Table.Td ta="right">
        <RevokeButton item={item} environment={environment} />
      </Table.Td>
    </Table.Tr>
  );
}

export function Assistants({ environment }: { environment: EnvironmentName }) {
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ['connections', environment],
    queryFn: () => ask(authorizations.connections, {}, { environment: environment }),
    refetchInterval: refreshIntervalMs,
  });
  const connected = data?.filter(({ revoked_at: revokedAt }) => revokedAt === null) ?? [];
  return (
    <Section
      title="Connected assistants"
      sentence="Apps that you authorized. Each has its own key, whose caps you can change below."
    >
      <Stack gap="lg">
        <ErrorPanel title="The assistants could not be loaded" error={error} onRetry={refetch} />
        {!data && !error && <Skeleton height={100} />}
        {data && connected.length === 0 && (
          <EmptyState
            Icon={IconPlugConnected}
            title="No assistant is connected"
            sentence="Add the tool server to an assistant. It then asks for your consent here."
          />
        )}
        {connected.length > 0 && (
          <TableCard
            label="Connected apps"
            columns={[
              'Program',
              'Since',
              'Last used',
              '>Credits today (UTC)',
              '>This month',
              '>Actions',
            ]}
            widthMinPx={760}
          >
            {connected.map((item) => (
              <ConnectionRow
                key={item.id}
                item={item}
                now={dataUpdatedAt}
                environment={environment}
              />
            ))}
          </TableCard>
        )}
        <Text size="sm" c="dimmed">
          The app asks for your consent. To answer in a browser instead, add a login with an email
          and password, or your identity provider (OpenID Connect).
        </Text>
        <AssistantsLogin environment={environment} />
        <IdentityProvider environment={environment} />
      </Stack>
    </Section>
  );
}
