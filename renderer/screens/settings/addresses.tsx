/** The addresses at which programs on this machine reach the engine. */
import { Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useAppState } from '../../api/live.ts';
import { CopyButton } from '../../components/copy-button.tsx';

/** The addresses; none where the engine listens on its local socket alone. */
export function Addresses() {
  const { data: state } = useAppState();
  if (!state) return <Skeleton height={60} />;
  if (!state.url)
    return (
      <Text size="sm" c="dimmed">
        The engine listens on its local socket alone. Start it with a port to let programs in.
      </Text>
    );
  const rest = `${state.url}/api/v1/data-enrichment/`;
  const example = `curl -H "Authorization: Token <API_KEY>" ${rest}layers/`;
  return (
    <Stack gap="sm">
      {[
        { name: 'REST', value: rest },
        { name: 'Try it', value: example },
      ].map(({ name, value }) => (
        <Group key={name} gap="sm" wrap="nowrap" align="flex-start">
          <Text size="sm" c="dimmed" w={64} flex="none">
            {name}
          </Text>
          <Code style={{ overflowWrap: 'anywhere' }} flex={1}>
            {value}
          </Code>
          <CopyButton value={value} label={`Copy: ${name}`} />
        </Group>
      ))}
      <Text size="sm" c="dimmed">
        Only programs on this machine are answered. Version {state.version}.
      </Text>
    </Stack>
  );
}
