/** Settings: one part per heading of settings-parts.ts; each change is saved by itself. */
import { Anchor, Group, Text, useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAppState } from '../../api/live.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { chooseDensity, useDensity } from '../../preferences/density.ts';
import { AccountRules } from './account-rules.tsx';
import { Accounts } from './accounts.tsx';
import { Background } from './background.tsx';
import { Backups } from './backups.tsx';
import { Browsers } from './browsers.tsx';
import { Choice } from './choice.tsx';
import { Notifications } from './notifications.tsx';
import { Organisation } from './organisation.tsx';
import { RateCard } from './rate-card.tsx';
import { Retention } from './retention.tsx';
import { SecretKey } from './secret-key.tsx';
import { type SettingsPart, settingsParts } from './settings-parts.ts';
import { UpdateSettings } from './updates.tsx';

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const density = useDensity();
  return (
    <Group gap="xl">
      <Choice
        label="Theme"
        value={colorScheme}
        onChange={setColorScheme}
        data={{ auto: 'Match system', light: 'Light', dark: 'Dark' }}
      />
      <Choice
        label="Rows of tables"
        value={density}
        onChange={chooseDensity}
        data={{ comfortable: 'Comfortable', compact: 'Compact' }}
      />
    </Group>
  );
}

const descriptions: Readonly<Record<SettingsPart, string>> = {
  appearance: 'Saved in this browser.',
  notifications: 'Saved in this browser.',
  background: 'What the desktop app does without its window.',
  rules: 'How sure a match must be, and what an enriched row costs. Changes apply to new jobs.',
  rates: 'Credits per enriched row. A job keeps the prices it started with.',
  accounts: 'Each account has its own wallet, jobs, keys and prices. All share the directory.',
  browsers: 'Browsers opened with a one-time link. Each signs out after 30 days without use.',
  retention: 'How many days results, logs and copies are kept. Leave empty to keep them.',
  backups: 'Made before an update and before the databases are migrated. Three are kept.',
  secrets: 'The key that encrypts this folder’s webhook secrets.',
  updates: 'New versions of the desktop app. Each is checked by its signature.',
  organisation: 'What your organisation sets for this app, and where each rule comes from.',
  audit: 'Who exported, unlocked, deleted, suppressed or changed what, and when.',
};

const contents: Readonly<Record<SettingsPart, ReactNode>> = {
  appearance: <Appearance />,
  notifications: <Notifications />,
  background: <Background />,
  rules: <AccountRules />,
  rates: <RateCard />,
  accounts: <Accounts />,
  browsers: <Browsers />,
  retention: <Retention />,
  backups: <Backups />,
  secrets: <SecretKey />,
  updates: <UpdateSettings />,
  organisation: <Organisation />,
  audit: (
    <Anchor component={Link} href="/settings/audit" size="sm">
      Open the audit log
    </Anchor>
  ),
};

export function SettingsScreen() {
  const { data: state } = useAppState();
  return (
    <Page title="Settings" sentence="Each change is saved when you make it.">
      {settingsParts.map(({ id, title }) => (
        <div key={id} data-command={`settings-${id}`}>
          <Section title={title} sentence={descriptions[id]}>
            {contents[id]}
          </Section>
        </div>
      ))}
      <Text size="xs" c="dimmed">
        Enrichment Desk {state?.version}
      </Text>
    </Page>
  );
}
