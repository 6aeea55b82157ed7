/** Rows that could be left out of the job: their number, the first of them, and the choice. */
import { Button, Collapse, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  type LeaveOutKind,
  leaveOutKinds,
  type RowsCheck,
} from '../../../engine/contract/reading/reading.ts';
import { type Upload, uploads } from '../../../engine/contract/uploads.ts';
import { ask } from '../../api/client.ts';
import { countOf, showCount } from '../../components/numbers.ts';
import { canIdentify } from './columns-step.tsx';
import classes from './enrich.module.css';
import { useFlow } from './flow.tsx';

const cellsShown = 6;

const sentences: Readonly<Record<LeaveOutKind, (count: number) => string>> = {
  no_identity: (count) =>
    `${countOf(count, 'row has', 'rows have')} no email, profile URL or name: ` +
    'skipped, not charged.',
  duplicates: (count) =>
    `${countOf(count, 'row repeats', 'rows repeat')} an earlier row: answered, not charged again.`,
};

const leftSentences: Readonly<Record<LeaveOutKind, (count: number) => string>> = {
  no_identity: (count) =>
    `${countOf(count, 'row', 'rows')} without an email, profile URL or name left out.`,
  duplicates: (count) => `${countOf(count, 'repeated row', 'repeated rows')} left out.`,
};

function Examples({ check, kind }: { check: RowsCheck; kind: LeaveOutKind }) {
  const rows = check.examples.filter((row) => row.kind === kind);
  return (
    <ScrollArea.Autosize
      mah={160}
      viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': 'First of these rows' }}
    >
      <ul className={classes.checkedRows}>
        {rows.map(({ row, cells }) => (
          <li key={row}>
            Row {showCount(row + 1)}:{' '}
            {cells
              .filter((cell) => cell !== '')
              .slice(0, cellsShown)
              .join(' · ') || 'empty'}
          </li>
        ))}
        {check[kind] > rows.length && <li>and {showCount(check[kind] - rows.length)} more</li>}
      </ul>
    </ScrollArea.Autosize>
  );
}

function CheckLine({ check, kind }: { check: RowsCheck; kind: LeaveOutKind }) {
  const { flow, actions } = useFlow();
  const [open, { toggle }] = useDisclosure(false);
  const isLeftOut = flow.leaveOut.includes(kind);
  const change = () =>
    actions.change({
      leaveOut: leaveOutKinds.filter((one) =>
        one === kind ? !isLeftOut : flow.leaveOut.includes(one),
      ),
    });
  return (
    <div>
      <Group gap="sm">
        <Text size="sm" className="numbers">
          {(isLeftOut ? leftSentences : sentences)[kind](check[kind])}
        </Text>
        <Button size="compact-sm" variant="default" onClick={toggle} aria-expanded={open}>
          {open ? 'Hide' : 'Show'}
        </Button>
        <Button size="compact-sm" variant="default" onClick={change} aria-pressed={isLeftOut}>
          {isLeftOut ? 'Keep them' : 'Leave out'}
        </Button>
      </Group>
      <Collapse expanded={open} transitionDuration={120}>
        <Examples check={check} kind={kind} />
      </Collapse>
    </div>
  );
}

/** The lines; nothing if no row could be left out. */
export function CheckRows({ upload }: { upload: Upload }) {
  const { flow } = useFlow();
  const { mapping } = flow;
  const { data: check } = useQuery({
    queryKey: ['check-rows', upload.upload_id, mapping],
    queryFn: ({ signal }) =>
      ask(uploads.check, { upload_id: upload.upload_id, mapping }, { signal }),
    enabled: canIdentify(mapping),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const kinds = leaveOutKinds.filter((kind) => check && check[kind] > 0);
  if (!check || kinds.length === 0) return null;
  return (
    <section aria-label="Check" className={classes.check}>
      {kinds.map((kind) => (
        <CheckLine key={kind} check={check} kind={kind} />
      ))}
      {flow.leaveOut.length > 0 && (
        <Text size="xs" c="dimmed">
          Rows that are left out are not in the result. You can save them from the job.
        </Text>
      )}
    </section>
  );
}
