// Says next to a field whether its change is saved. It keeps its room, so that nothing moves.
import { Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { describeError } from '../../api/client.ts';

interface Saving {
  readonly isPending: boolean;
  readonly isSuccess: boolean;
  readonly error: Error | null;
}

export const SavedNote = ({ saving }: { saving: Saving }) => (
  <Text component="span" role="status" size="sm" c="dimmed" miw={72} lh="24px">
    {saving.isPending && 'Saving…'}
    {saving.isSuccess && (
      <>
        <IconCheck size={14} aria-hidden style={{ verticalAlign: -2 }} /> Saved
      </>
    )}
  </Text>
);

/** Why a change was not saved; null if it was. */
export const describeRefusal = ({ error }: Pick<Saving, 'error'>): string | null =>
  error && `Not saved: ${describeError(error)}`;

/** The reason of a change that was not saved, below a control without an error of its own. */
export const SaveError = ({ saving }: { saving: Saving }) =>
  saving.error && (
    <Text role="alert" size="sm" c="var(--desk-failed)" mt={4}>
      {describeRefusal(saving)}
    </Text>
  );
