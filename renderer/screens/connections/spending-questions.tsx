/** Calls of assistants that wait until a person allows what they would cost. */
import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Approval } from '../../../engine/contract/assistants.ts';
import type { WorldName } from '../../../engine/contract/ids.ts';
import { answerApproval, readAssistants } from '../../api/assistants.ts';
import { useChange } from '../../api/live.ts';
import { showCredits } from '../../components/numbers.ts';
import { tellDone, tellRefused } from '../../components/tell.ts';
import classes from './connections.module.css';

/** One question, with its two answers. */
export function SpendingQuestion({ item, world }: { item: Approval; world: WorldName }) {
  const answer = useChange(
    (allow: boolean) => answerApproval(world, item.id, allow),
    ['assistants'],
  );
  const send = (allow: boolean) =>
    answer.mutate(allow, {
      onSuccess: () => tellDone(allow ? 'The call goes on.' : 'The call was denied.'),
      onError: (error) => tellRefused('The answer was not taken', error),
    });
  return (
    <Stack gap="sm">
      <Text>
        <b>{item.client}</b> wants to call <Code>{item.tool}</Code>, which would cost up to{' '}
        <b>{showCredits(item.credits)} credits</b>.
      </Text>
      <Code block className={classes.arguments}>
        {item.arguments}
      </Code>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" disabled={answer.isPending} onClick={() => send(false)}>
          Deny
        </Button>
        <Button loading={answer.isPending} onClick={() => send(true)}>
          Allow it
        </Button>
      </Group>
    </Stack>
  );
}

/** Shows the oldest question of the live world over every screen, until it is answered. */
export function SpendingPrompt() {
  const { data } = useQuery({
    queryKey: ['assistants', 'live'],
    queryFn: () => readAssistants('live'),
  });
  const [first] = data?.approvals ?? [];
  return (
    <Modal
      opened={first !== undefined}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title="An assistant asks before it spends"
    >
      {first && <SpendingQuestion key={first.id} item={first} world="live" />}
    </Modal>
  );
}
