/** A webhook's secret, shown this once: after it was registered, or got another. */
import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { CopyButton } from '../../components/copy-button.tsx';
import classes from './connections.module.css';

/** The secret, and what it is for. */
export function SecretShownOnce({
  secret,
  sentence,
  onKept,
}: {
  secret: string;
  sentence: string;
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
        {sentence}
      </Alert>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Code fz="sm" className={`${classes.line} ${classes.secret}`}>
          {secret}
        </Code>
        <CopyButton value={secret} label="Copy the secret" />
      </Group>
      <Text size="sm" c="dimmed">
        Deliveries are signed with the whole text, whsec_ included, in X-Service-Signature.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onKept}>I have kept it</Button>
      </Group>
    </Stack>
  );
}
