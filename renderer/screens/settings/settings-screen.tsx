/** Settings: appearance, matching and charging, prices, accounts, version. */
import { SegmentedControl, Text, useMantineColorScheme } from '@mantine/core';
import { useAppState } from '../../api/live.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { AccountRules } from './account-rules.tsx';
import { Accounts } from './accounts.tsx';
import { RateCard } from './rate-card.tsx';
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
        { value: 'auto', label: 'As the system' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
    />
  );
}

export function SettingsScreen() {
  const { data: state } = useAppState();
  return (
    <Page title="Settings" sentence="Changes count at once, for jobs that start from now on.">
      <Section title="Appearance" sentence="Light or dark; kept in this window.">
        <Appearance />
      </Section>
      <Section
        title="Matching and charging"
        sentence="How sure a match must be, and what an enriched row costs."
      >
        <AccountRules />
      </Section>
      <Section
        title="Rate card"
        sentence="Credits per enriched row. A job keeps the prices it was started with."
      >
        <RateCard />
      </Section>
      <Section
        title="Accounts"
        sentence="Each has a wallet, jobs, keys and prices of its own, and the same directory."
      >
        <Accounts />
      </Section>
      <Section title="Secrets" sentence="What seals the secrets of webhooks in this folder.">
        <SecretKey />
      </Section>
      <Text size="xs" c="dimmed">
        Enrichment Desk {state?.version}
      </Text>
    </Page>
  );
}
