// Explains the reason of a row: what it means, what to do, and where.
import { Group, Popover, Text, UnstyledButton } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import type { Reason } from '../../../engine/contract/jobs/job.ts';
import { ScreenLink } from '../text.tsx';
import { reasonWords } from '../words.ts';
import classes from './reason-help.module.css';

/** The button and its text. Renders nothing without a reason. `jobId`: the job of the row. */
export function ReasonHelp({ reason, jobId }: { reason: Reason; jobId: string }) {
  const { short, sentence, next, link } = reasonWords[reason];
  if (reason === '') return null;
  return (
    <Popover width={320} withArrow trapFocus returnFocus transitionProps={{ duration: 80 }}>
      <Popover.Target>
        <UnstyledButton className={classes.button}>
          <IconHelpCircle size={14} aria-hidden />
          What “{short}” means
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={`What “${short}” means`}>
        <Text size="sm">{sentence}</Text>
        <Text size="sm" mt="sm">
          {next}
        </Text>
        <Group gap="lg" mt="md">
          {link && <ScreenLink href={link.path.replace(':job', jobId)}>{link.label}</ScreenLink>}
          <ScreenLink href="/help">All reasons</ScreenLink>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
