/** Settings: appearance, matching and charging, prices, accounts, retention, version. */
import { Anchor, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core';
import { Link } from 'wouter';
import { useAppState } from '../../api/live.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { AccountRules } from './account-rules.tsx';
import { Accounts } from './accounts.tsx';
import { Browsers } from './browsers.tsx';
import { RateCard } from './rate-card.tsx';
import { Retention } from './retention.tsx';
import { SecretKey } from './secret-key.tsx';

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label="Appearance"
      value={colorScheme}
      onChange={(value) => setColorScheme(value as typeof colorScheme)}
      transitionDuration={0}
      data={[
        { value: 'auto', label: 'System' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
    />
  );
}

export function SettingsScreen() {
  const { data: state } = useAppState();
  return (
    <Page title="Settings" sentence="Changes apply at once to new jobs.">
      <Section title="Appearance" sentence="Light or dark, for this window.">
        <Appearance />
      </Section>
      <Section
        title="Matching and charging"
        sentence="The confidence of a match and the price of an enriched row."
      >
        <AccountRules />
      </Section>
      <Section
        title="Rate card"
        sentence="Credits per enriched row. A job keeps the prices of its start."
      >
        <RateCard />
      </Section>
      <Section
        title="Accounts"
        sentence="Each has its own wallet, jobs, keys and prices. All share the directory."
      >
        <Accounts />
      </Section>
      <Section
        title="Browsers"
        sentence="Browsers that a one-time link opened. They close after 30 days without use."
      >
        <Browsers />
      </Section>
      <Section
        title="Retention"
        sentence="After how many days results, logs and copies are deleted. Empty keeps for ever."
      >
        <Retention />
      </Section>
      <Section title="Secrets" sentence="The key that encrypts webhook secrets in this folder.">
        <SecretKey />
      </Section>
      <Section
        title="Audit log"
        sentence="Who exported, unlocked, deleted, suppressed or changed what, and when."
      >
        <Anchor component={Link} href="/settings/audit" size="sm">
          Open the audit log
        </Anchor>
      </Section>
      <Text size="xs" c="dimmed">
        Enrichment Desk {state?.version}
      </Text>
    </Page>
  );
}
