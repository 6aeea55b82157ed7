// Every command of the palette as data: screens, actions, parts of Settings, accounts and jobs.
import type { MantineColorScheme } from '@mantine/core';
import {
  IconArrowRight,
  IconBan,
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconBook2,
  IconDatabasePlus,
  IconDeviceDesktop,
  IconDownload,
  IconKey,
  IconKeyboard,
  IconListDetails,
  IconMail,
  IconMoon,
  IconRadar2,
  IconRefresh,
  IconRobot,
  IconSettings,
  IconSun,
  IconTablePlus,
  IconUpload,
  IconUserPlus,
  IconUserQuestion,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { Account } from '../../engine/contract/accounts.ts';
import type { StatusData } from '../../engine/contract/jobs/job.ts';
import { chooseAccount } from '../api/account.ts';
import { chooseDensity } from '../preferences/density.ts';
import { fixedScreens } from '../screen-table.tsx';
import { type SettingsPart, settingsParts } from '../screens/settings/settings-parts.ts';
import { type CommandDialog, closeDialog, focusScreen, openDialog } from './open-dialog.ts';

const waitMaxMs = 10_000;

/** The control with `data-command={name}`, if the page has it. */
const findControl = (name: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-command="${name}"]`);

/** Shows a control; a button is pressed, and a part of the screen gets the focus. */
function use(control: HTMLElement): void {
  control.scrollIntoView({ block: 'start' });
  if (control instanceof HTMLButtonElement || control instanceof HTMLAnchorElement) {
    control.focus();
    control.click();
    return;
  }
  control.tabIndex = -1;
  control.focus({ preventScroll: true });
}

/** Uses a control, now or once its screen has shown it. */
function pressControl(name: string): void {
  const present = findControl(name);
  if (present) {
    use(present);
    return;
  }
  const observer = new MutationObserver(() => {
    const control = findControl(name);
    if (!control) return;
    stop();
    use(control);
  });
  const timer = setTimeout(() => stop(), waitMaxMs);
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
  };
  observer.observe(document.body, { childList: true, subtree: true });
}

interface CommandTools {
  navigate(path: string): void;
  setColorScheme(scheme: MantineColorScheme): void;
}

export const commandGroups = {
  page: 'On this screen',
  action: 'Actions',
  screen: 'Go to',
  job: 'Jobs',
  account: 'Accounts',
  setting: 'Settings',
} as const;
type CommandGroup = keyof typeof commandGroups;
type CommandIcon = ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>;

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: CommandGroup;
  readonly Icon: CommandIcon;
  readonly words?: string;
  readonly path?: string;
  /** The `data-command` of a control that is pressed or shown after the path was followed. */
  readonly press?: string;
  /** Another dialog that takes the place of the palette. */
  readonly dialog?: CommandDialog;
  readonly run?: (tools: CommandTools) => void;
}

/** Shown only while the screen has the control. */
const pageCommands = [
  {
    id: 'save',
    Icon: IconDownload,
    title: 'Save this result…',
    words: 'export download csv excel',
    press: 'save',
  },
  { id: 'cancel', Icon: IconBan, title: 'Cancel this job…', words: 'stop', press: 'cancel-job' },
  {
    id: 'review',
    Icon: IconUserQuestion,
    title: 'Review uncertain rows',
    words: 'ambiguous pick',
    press: 'review',
  },
  {
    id: 'watch',
    Icon: IconRadar2,
    title: 'Monitor this list',
    words: 'schedule watch changes',
    press: 'monitor',
  },
  { id: 'retry', Icon: IconRefresh, title: 'Retry failed rows', words: 'again', press: 'retry' },
] as const;

const actions = [
  {
    id: 'enrich',
    Icon: IconTablePlus,
    title: 'New enrichment',
    words: 'start job upload file list',
    path: '/',
  },
  {
    id: 'import',
    Icon: IconUpload,
    title: 'Import a list into the directory',
    words: 'people upload csv',
    path: '/directory/imports',
  },
  {
    id: 'monitor',
    Icon: IconRadar2,
    title: 'New monitor',
    words: 'schedule watch changes',
    path: '/monitors/new',
  },
  {
    id: 'unlock',
    Icon: IconMail,
    title: 'Show emails and phones',
    words: 'unlock pipeline verify validate',
    path: '/directory/contacts/new',
  },
  {
    id: 'provider',
    Icon: IconDatabasePlus,
    title: 'Add a data service',
    words: 'provider source',
    path: '/connections/providers',
    press: 'add-provider',
  },
  {
    id: 'key',
    Icon: IconKey,
    title: 'Create an API key',
    words: 'new token rest',
    path: '/connections',
    press: 'new-key',
  },
  {
    id: 'assistant',
    Icon: IconRobot,
    title: 'Connect an assistant',
    words: 'mcp claude tools',
    path: '/connections/assistants',
  },
  {
    id: 'webhook',
    Icon: IconWebhook,
    title: 'Add a webhook',
    words: 'new event address',
    path: '/connections/webhooks',
    press: 'new-webhook',
  },
  {
    id: 'suppress',
    Icon: IconBan,
    title: 'Suppress people or companies',
    words: 'block opt out gdpr',
    path: '/directory/suppression',
  },
  {
    id: 'light',
    Icon: IconSun,
    title: 'Use the light theme',
    words: 'appearance color',
    run: ({ setColorScheme }: CommandTools) => setColorScheme('light'),
  },
  {
    id: 'dark',
    Icon: IconMoon,
    title: 'Use the dark theme',
    words: 'appearance color night',
    run: ({ setColorScheme }: CommandTools) => setColorScheme('dark'),
  },
  {
    id: 'system',
    Icon: IconDeviceDesktop,
    title: 'Match the system’s theme',
    words: 'appearance color auto',
    run: ({ setColorScheme }: CommandTools) => setColorScheme('auto'),
  },
  {
    id: 'compact',
    Icon: IconBaselineDensitySmall,
    title: 'Use compact rows',
    words: 'density dense table grid',
    run: () => chooseDensity('compact'),
  },
  {
    id: 'comfortable',
    Icon: IconBaselineDensityMedium,
    title: 'Use comfortable rows',
    words: 'density table grid',
    run: () => chooseDensity('comfortable'),
  },
  {
    id: 'keys',
    Icon: IconKeyboard,
    title: 'Show keyboard shortcuts',
    words: 'help hotkeys',
    dialog: 'keys' as const,
  },
  {
    id: 'reference',
    Icon: IconBook2,
    title: 'Open the API reference',
    words: 'docs openapi rest',
    run: () => window.location.assign('/docs.html'),
  },
] as const;

/** Settings has the button while there is one account; later the list of accounts has it. */
const newAccount: Command = {
  id: 'account new',
  Icon: IconUserPlus,
  title: 'New account',
  words: 'second client wallet separate',
  group: 'action',
  path: '/settings',
  press: 'new-account',
};

function listFixed(parts: ReadonlySet<SettingsPart>, hasOneAccount: boolean): Command[] {
  return [
    ...pageCommands
      .filter(({ press }) => findControl(press) !== null)
      .map((command) => ({ ...command, group: 'page' as const })),
    ...actions.map((command) => ({ ...command, group: 'action' as const })),
    ...(hasOneAccount ? [newAccount] : []),
    ...fixedScreens
      .filter(({ title }) => actions.every((action) => action.title !== title))
      .map(({ path, title, Icon = IconArrowRight }) => {
        return { id: path, title, path, Icon, group: 'screen' as const };
      }),
    ...settingsParts
      .filter(({ id }) => parts.has(id))
      .map(({ id, title, words }) => ({
        id: `settings ${id}`,
        title: `Settings: ${title}`,
        words,
        group: 'setting' as const,
        Icon: IconSettings,
        path: '/settings',
        press: `settings-${id}`,
      })),
  ];
}

/** `accounts` and `jobs` are those that are loaded, `parts` the shown ones of Settings. */
export function listCommands(
  jobs: readonly StatusData[],
  accounts: readonly Account[],
  currentAccount: string | undefined,
  parts: ReadonlySet<SettingsPart>,
): Command[] {
  return [
    ...listFixed(parts, accounts.length === 1),
    ...jobs.map(({ job_id: id, title }) => ({
      id: `job ${id}`,
      title: title || 'Untitled job',
      group: 'job' as const,
      Icon: IconListDetails,
      path: `/jobs/${id}`,
    })),
    ...accounts
      .filter(({ id }) => accounts.length > 1 && id !== currentAccount)
      .map(({ id, name }) => ({
        id: `account ${id}`,
        title: `Switch to ${name}`,
        group: 'account' as const,
        Icon: IconUsers,
        run: ({ navigate }: CommandTools) => {
          navigate('/');
          chooseAccount(id);
        },
      })),
  ];
}

/** Closes the palette and runs a command. The focus follows it. */
export function runCommand({ path, press, dialog, run }: Command, tools: CommandTools): void {
  if (dialog !== undefined) {
    openDialog(dialog);
    return;
  }
  if (press !== undefined) closeDialog(() => pressControl(press));
  else if (path !== undefined) closeDialog(focusScreen);
  else closeDialog();
  if (path !== undefined) tools.navigate(path);
  run?.(tools);
}
