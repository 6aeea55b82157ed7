// The place of a list that is opened first, and buttons that close the open list, after a question
// if the user wrote something, and reopen it.
import { Button } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DropArea } from '../../components/drop-area.tsx';
import { countOf } from '../../components/numbers.ts';
import { isolate } from '../../components/titles/isolate.ts';
import { type Flow, useFlow } from './flow.tsx';

export const describeLoss = ({ corrections: { length } }: Pick<Flow, 'corrections'>): string =>
  length > 0 ? `${countOf(length, 'corrected cell')} will be lost.` : '';

interface LeaveListProps {
  label: string;
  /** Whether it asks also if no cell was corrected. */
  asks: boolean;
  loading?: boolean;
  onLeave: () => void;
}

export function LeaveList({ label, asks, loading = false, onLeave }: LeaveListProps) {
  const { flow } = useFlow();
  const name = isolate(flow.name ?? '');
  if (flow.corrections.length === 0 && !asks)
    return (
      <Button size="xs" w="fit-content" loading={loading} onClick={onLeave}>
        {label}
      </Button>
    );
  return (
    <ConfirmButton
      size="xs"
      w="fit-content"
      loading={loading}
      title={`Close ${name}?`}
      sentence={`You have not started this list. ${describeLoss(flow)}`}
      act="Close the list"
      keep={`Keep ${name}`}
      onConfirm={onLeave}
    >
      {label}
    </ConfirmButton>
  );
}

/** Nothing unless a list was left to choose another file. */
export function ReopenList() {
  const { flow, actions } = useFlow();
  if (!flow.left) return null;
  return (
    <Button w="fit-content" onClick={actions.reopen}>
      Back to {isolate(flow.left.name ?? '')}
    </Button>
  );
}

/** The place of a list on a screen that begins with one. */
export function ChooseList({ hint }: { hint: string }) {
  const { actions } = useFlow();
  return (
    <>
      <ReopenList />
      <DropArea
        tall
        label="Drop a spreadsheet, or choose one"
        hint={hint}
        onFile={(file) => void actions.choose({ file })}
      />
    </>
  );
}
