/** What the price says about inferred emails, while the account infers them. */
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useAppState } from '../../../api/live.ts';

/** One sentence; nothing if the account infers no emails. */
export function InferredEmails() {
  const { data: state } = useAppState();
  if (!state?.account.infer_emails) return null;
  return (
    <Text size="sm" c="dimmed">
      Inferred emails are on and free: a person without a work email may get a probable one, in a
      column of its own.{' '}
      <Anchor component={Link} underline="always" href="/settings" size="sm">
        Change it in Settings
      </Anchor>
      .
    </Text>
  );
}
