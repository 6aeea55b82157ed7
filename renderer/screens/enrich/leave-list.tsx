// A button that closes the open list; it asks first if that loses what the user wrote.
import { Button } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { countOf } from '../../components/numbers.ts';
import { isolate } from '../../components/titles/isolate.ts';
import { type Flow, useFlow } from './flow.tsx';

export const describeLoss = ({ corrections: { length } }: Pick<Flow, 'corrections'>): string =>
  length > 0 ? `${countOf(length, 'corrected cell')} will be lost.` : '';

interface LeaveListProps {
  label: string;
  /** Whether it asks also if no cell was corrected. */
  asks: boolean;
  onLeave: () => void;
}

export function LeaveList({ label, asks, onLeave }: LeaveListProps) {
  const { flow } = useFlow();
  const name = isolate(flow.name ?? '');
  if (flow.corrections.length === 0 && !asks)
    return (
      <Button size="xs" onClick={onLeave}>
        {label}
      </Button>
    );
  return (
    <ConfirmButton
      size="xs"
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
