/** Changes what one client of the tool server may spend in a call, and when it has to ask. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Assistant } from '../../../engine/contract/assistants.ts';
import type { WorldName } from '../../../engine/contract/ids.ts';
import { changeAssistant } from '../../api/assistants.ts';
import { useChange } from '../../api/live.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { tellDone } from '../../components/tell.ts';
import { CapInput, findCapProblem, readCap } from './key-form.tsx';

function LimitForm({
  item,
  world,
  onClose,
}: {
  item: Assistant;
  world: WorldName;
  onClose: () => void;
}) {
  const [cap, setCap] = useState(item.cap_per_call ?? '');
  const [ask, setAsk] = useState(item.ask_above ?? '');
  const change = useChange(
    () => changeAssistant(world, item.id, { cap_per_call: readCap(cap), ask_above: readCap(ask) }),
    ['assistants'],
  );
  const isWhole = !findCapProblem(cap) && !findCapProblem(ask);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!isWhole) return;
    change.mutate(undefined, {
      onSuccess: () => {
        onClose();
        tellDone(`“${item.label}” was changed, from its next call on.`);
      },
    });
  };
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="lg">
        <Group gap="md" align="flex-start">
          <CapInput label="Credits a call, at most" value={cap} onChange={setCap} />
          <CapInput label="Ask me above" value={ask} onChange={setAsk} />
        </Group>
        <Text size="sm" c="dimmed">
          What a call cannot cover is left out and not charged. Above the second amount the
          assistant asks you first: itself, where it can, else here in the app.
        </Text>
        {change.error && <ErrorPanel title="The limits were not changed" error={change.error} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isWhole} loading={change.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The dialog; closed where `item` is null. */
export function AssistantLimits({
  item,
  world,
  onClose,
}: {
  item: Assistant | null;
  world: WorldName;
  onClose: () => void;
}) {
  return (
    <Modal
      opened={item !== null}
      onClose={onClose}
      title={item ? `Spending of “${item.label}”` : ''}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {item && <LimitForm key={item.id} item={item} world={world} onClose={onClose} />}
    </Modal>
  );
}
