// The parts of Settings, in order: their headings, and other words by which they are found.

/** `words` are for the command palette. */
export const settingsParts = [
  { id: 'appearance', title: 'Appearance', words: 'theme dark light density compact rows' },
  { id: 'notifications', title: 'Notifications', words: 'alert finished job' },
  { id: 'background', title: 'Background', words: 'tray login start close window' },
  { id: 'rules', title: 'Matching and charging', words: 'threshold confidence infer emails free' },
  { id: 'rates', title: 'Rate card', words: 'prices credits layers cost' },
  { id: 'accounts', title: 'Accounts', words: 'rename new' },
  { id: 'browsers', title: 'Browsers', words: 'sessions sign out close' },
  { id: 'retention', title: 'Retention', words: 'delete days privacy' },
  { id: 'backups', title: 'Backups', words: 'restore copy safety' },
  { id: 'secrets', title: 'Secrets', words: 'encryption key keychain' },
  { id: 'updates', title: 'Updates', words: 'version channel beta release notes restart' },
  { id: 'organisation', title: 'Organisation', words: 'policy rules locked team managed' },
  { id: 'audit', title: 'Audit log', words: 'history who' },
] as const;

export type SettingsPart = (typeof settingsParts)[number]['id'];

/** The groups of the navigation, in order, with their parts. */
export const settingsGroups: readonly {
  readonly id: string;
  readonly title: string;
  readonly parts: readonly SettingsPart[];
}[] = [
  {
    id: 'general',
    title: 'General',
    parts: ['appearance', 'notifications', 'background', 'updates'],
  },
  { id: 'matching', title: 'Matching and prices', parts: ['rules', 'rates'] },
  { id: 'accounts', title: 'Accounts', parts: ['accounts'] },
  { id: 'data', title: 'Data', parts: ['retention', 'backups'] },
  { id: 'security', title: 'Security', parts: ['browsers', 'secrets', 'audit'] },
  { id: 'organisation', title: 'Organisation', parts: ['organisation'] },
];
