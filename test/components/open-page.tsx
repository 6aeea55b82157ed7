// Shows the whole interface in the test's page, with an API that answers from a table.
import '../../renderer/api/parse-without-eval.ts';
import { notifications } from '@mantine/notifications';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { chooseAccount } from '../../renderer/api/account.ts';
import { loadEventStream } from '../../renderer/api/live.ts';
import { Root } from '../../renderer/root.tsx';
import { loadScreen } from '../../renderer/screen-table.tsx';
import { emptyDesk, makeJobList } from './empty-desk.ts';
import { type Answers, type FakeApi, openFakeApi } from './fake-api.ts';

const paths = {
  Enrich: '/',
  Jobs: '/jobs',
  Directory: '/directory',
  Companies: '/directory/companies',
  Imports: '/directory/imports',
  Suppression: '/directory/suppression',
  'Audit log': '/settings/audit',
  'Privacy requests': '/directory/person-data',
  Duplicates: '/directory/duplicates',
  Wallet: '/wallet',
  Connections: '/connections',
  'Data services': '/connections/providers',
  Settings: '/settings',
  Help: '/help',
} as const;

/** The screen Jobs lists the jobs that a test has for every list. */
function listJobs({
  'GET /app/v1/jobs': answer = emptyDesk['GET /app/v1/jobs'],
}: Answers): Answers {
  return {
    async 'GET /app/v1/job-list'(asked) {
      const page = await answer?.({ ...asked, route: 'GET /app/v1/jobs' });
      return makeJobList(page && typeof page === 'object' && 'results' in page ? page.results : []);
    },
  };
}
/** The heading of the screens that have another one than their name. */
const headings: Partial<Record<keyof typeof paths, string>> = {
  Companies: 'Directory',
  Imports: 'Directory',
  Suppression: 'Directory',
  Duplicates: 'Directory',
};

/** Collects uncaught and logged errors of the page until `stop`. */
function listenForComplaints() {
  const complaints: string[] = [];
  const realError = console.error;
  const note = (event: ErrorEvent | PromiseRejectionEvent) =>
    void complaints.push('reason' in event ? String(event.reason) : event.message);
  console.error = (...words: unknown[]) => void complaints.push(words.map(String).join(' '));
  addEventListener('error', note);
  addEventListener('unhandledrejection', note);
  const stop = () => {
    console.error = realError;
    removeEventListener('error', note);
    removeEventListener('unhandledrejection', note);
  };
  return { complaints, stop };
}

/**
 * Opens a screen and waits for it; it is closed when the test ends. The test fails if a request or
 * response did not fit the contract, if the page logged an error, or if it lost the focus.
 */
export async function openPage(
  screen: keyof typeof paths,
  answers: Answers = {},
): Promise<FakeApi> {
  localStorage.setItem('desk-session', 'session-of-the-test');
  location.hash = paths[screen];
  document.documentElement.lang = 'en';
  document.title = 'Enrichment Desk';
  const api = openFakeApi({ ...emptyDesk, ...listJobs(answers), ...answers });
  const { complaints, stop } = listenForComplaints();
  // A late connection refetches, possibly between two steps of a test.
  await Promise.all([loadEventStream(), loadScreen(paths[screen])]);
  const place = document.createElement('div');
  place.id = 'root';
  document.body.append(place);
  const root = createRoot(place);
  root.render(<Root />);
  let wasFocused = false;
  place.addEventListener('focusin', () => {
    wasFocused = true;
  });
  const hasFocus = () => !wasFocused || document.activeElement !== document.body;
  const close = async () => {
    root.unmount();
    place.remove();
    notifications.clean();
    api.close();
    stop();
    chooseAccount(null);
    localStorage.clear();
    sessionStorage.clear();
    if (innerWidth !== 1280) await page.viewport(1280, 800);
  };
  onTestFinished(async () => {
    await expect.poll(hasFocus, { message: 'the focus is on nothing' }).toBe(true).finally(close);
    expect({ faults: api.faults, complaints }).toEqual({ faults: [], complaints: [] });
  });
  const name = headings[screen] ?? screen;
  await expect.element(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  return api;
}

export const openTab = (name: string): Promise<void> =>
  page
    .getByRole('navigation', { name: 'Connections' })
    .getByRole('link', { name, exact: true })
    .click();
