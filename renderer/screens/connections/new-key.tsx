/**
 * Makes a key and shows it, this once.
 *
 *   asked ──made──> shown ──kept──> gone: the page has forgotten it, the engine kept its hash alone
 */
import { Alert, Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { z } from 'zod';
import type { CreatedKeySchema } from '../../../engine/contract/app.ts';
import type { WorldName } from '../../../engine/contract/ids.ts';
import { createKey } from '../../api/engine.ts';
import { useChange } from '../../api/live.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import classes from './connections.module.css';
import { type KeyFields, KeyForm } from './key-form.tsx';

function ShownOnce({
  created,
  onKept,
}: {
  created: z.infer<typeof CreatedKeySchema>;
  onKept: () => void;
}) {
  return (
    <Stack gap="lg">
      <Alert
        color="indigo"
        icon={<IconKey size={18} aria-hidden />}
        title="It will not be shown again"
        role="status"
      >
        Only its hash is kept here. Put the key where your program reads it; a lost one is revoked
        and replaced.
      </Alert>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Code fz="sm" className={`${classes.line} ${classes.secret}`}>
          {created.key}
        </Code>
        <CopyButton value={created.key} label="Copy the key" />
      </Group>
      <Text size="sm" c="dimmed">
        Send it as Authorization: Token &lt;API_KEY&gt; with every request.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onKept}>I have kept it</Button>
      </Group>
    </Stack>
  );
}

/** The dialog. While the key is shown it closes by its own button alone. */
export function NewKey({
  opened,
  world,
  onClose,
}: {
  opened: boolean;
  world: WorldName;
  onClose: () => void;
}) {
  const create = useChange((fields: KeyFields) => createKey(world, fields), ['keys']);
  const created = create.data;
  const close = () => {
    onClose();
    create.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={created ? `The key “${created.label}”` : 'New key'}
      closeOnClickOutside={!created}
      closeOnEscape={!created}
      withCloseButton={!created}
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { overflowWrap: 'anywhere' } }}
    >
      {created ? (
        <ShownOnce created={created} onKept={close} />
      ) : (
        <KeyForm
          initial={null}
          act="Make the key"
          isPending={create.isPending}
          onSubmit={(fields) => create.mutate(fields)}
          onCancel={close}
        >
          {create.error && <ErrorPanel title="No key was made" error={create.error} />}
        </KeyForm>
      )}
    </Modal>
  );
}
