// Requests of assistants and other programs that need a person's approval before they spend.
import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Approval, assistants } from '../../../engine/contract/assistants/assistants.ts';
import type { EnvironmentName } from '../../../engine/contract/ids.ts';
import { ask } from '../../api/client.ts';
import { useAnswer, useChange } from '../../api/live.ts';
import { countCredits } from '../../components/numbers.ts';
import { showFailure, showSuccess } from '../../components/toast.ts';
import classes from './connections.module.css';

interface SpendingQuestionProps {
  item: Approval;
  environment: EnvironmentName;
  onLater?: () => void;
}

/** One question with Allow once and Deny, and with Later if it can wait. */
export function SpendingQuestion({ item, environment, onLater }: SpendingQuestionProps) {
  const answer = useChange(
    // The toast is shown here, because an event may already have removed the question.
    (allow: boolean) =>
      ask(assistants.answer, { id: item.id, allow }, { environment }).then(
        () => showSuccess(allow ? 'The request was allowed once.' : 'The request was denied.'),
        (error: Error) => showFailure('The answer was not saved', error),
      ),
    ['assistants'],
  );
  const send = (allow: boolean) => answer.mutate(allow);
  return (
    <Stack gap="sm">
      <Text>
        <b>{item.client}</b> wants to spend up to <b>{countCredits(item.credits)}</b> on{' '}
        <Code>{item.operation}</Code>.
      </Text>
      <Code block className={classes.arguments}>
        {item.arguments}
      </Code>
      <Group justify="flex-end" gap="sm">
        {onLater && (
          <Button variant="subtle" color="gray" mr="auto" onClick={onLater}>
            Later
          </Button>
        )}
        <Button disabled={answer.isPending} onClick={() => send(false)}>
          Deny
        </Button>
        <Button variant="filled" loading={answer.isPending} onClick={() => send(true)}>
          Allow once
        </Button>
      </Group>
    </Stack>
  );
}

/** The oldest question of live, over every screen, until it is answered or postponed. */
export function SpendingPrompt() {
  const [putOff, setPutOff] = useState<readonly string[]>([]);
  const { data } = useAnswer(['assistants', 'live'], assistants.list, { environment: 'live' });
  const first = data?.approvals.find(({ id }) => !putOff.includes(id));
  return (
    <Modal
      opened={first !== undefined}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title="A program wants to spend credits"
    >
      {first && (
        <SpendingQuestion
          key={first.id}
          item={first}
          environment="live"
          onLater={() => setPutOff([...putOff, first.id])}
        />
      )}
    </Modal>
  );
}
