// Help: what each reason of a row means and what to do, and where the keyboard is explained.
import { Anchor, Button, Stack, Text, Title } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Reason } from '../../../engine/contract/jobs/job.ts';
import { openDialog } from '../../commands/open-dialog.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { type ReasonWords, reasonWords } from '../../components/words.ts';

const reasons = (Object.entries(reasonWords) as [Reason, ReasonWords][]).filter(
  ([reason]) => reason !== '',
);

/** A link that needs no job; the others are on the page of their job. */
const hasOwnPage = (path: string): boolean => !path.includes(':');

export function HelpScreen() {
  return (
    <Page
      title="Help"
      sentence="Why a row was not enriched, and what you can do about it."
      action={
        <Button
          leftSection={<IconKeyboard size={16} aria-hidden />}
          onClick={() => openDialog('keys')}
        >
          Keyboard shortcuts
        </Button>
      }
    >
      <Section
        title="Reasons"
        sentence="You are charged only for enriched rows. Every other row gives a reason."
      >
        <Stack gap="lg">
          {reasons.map(([reason, { short, sentence, next, link }]) => (
            <article key={reason} aria-label={short}>
              <Title order={3}>{short.charAt(0).toUpperCase() + short.slice(1)}</Title>
              <Text maw={720}>{sentence}</Text>
              <Text maw={720} c="dimmed">
                {next}{' '}
                {link && hasOwnPage(link.path) && (
                  <Anchor component={Link} href={link.path} underline="always">
                    {link.label}
                  </Anchor>
                )}
              </Text>
            </article>
          ))}
        </Stack>
      </Section>
    </Page>
  );
}
