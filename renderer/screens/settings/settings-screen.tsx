/** Settings: looks, how rows are matched and charged, prices, API keys, addresses. */
import { Card, SegmentedControl, Text, Title, useMantineColorScheme } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Page } from '../../components/page.tsx';
import { AccountRules } from './account-rules.tsx';
import { Addresses } from './addresses.tsx';
import { ApiKeys } from './api-keys.tsx';
import { RateCard } from './rate-card.tsx';

function Section({
  title,
  sentence,
  children,
}: {
  title: string;
  sentence: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id}>
      <Title order={2} id={id}>
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {sentence}
      </Text>
      {children}
    </Card>
  );
}

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

/** The settings screen. */
export function SettingsScreen() {
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
        title="API keys"
        sentence="For your own programs on this machine. A key is shown once and kept as a hash."
      >
        <ApiKeys />
      </Section>
      <Section title="Addresses" sentence="Where this machine's programs reach the engine.">
        <Addresses />
      </Section>
    </Page>
  );
}
