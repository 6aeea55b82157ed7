// The frame of the page: without an engine, without events, and without a session.
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AppState } from '../../engine/contract/engine.ts';
import { statusExample } from '../../engine/contract/examples.ts';
import { forgetSession, startSession } from '../../renderer/api/session.ts';
import { firstState, idOf, makeJobList } from './empty-desk.ts';
import { refuse, unreachable } from './fake-api.ts';
import { openPage } from './open-page.tsx';

test('a missing engine is named on every screen until it answers again', async () => {
  const api = await openPage('Jobs');
  await expect.element(page.getByText(/^Engine running/)).toBeVisible();
  api.answer({ 'GET /app/v1/state': () => unreachable });
  api.breakStreams();
  const banner = page.getByRole('alert').filter({ hasText: 'The engine is not responding' });
  await expect.element(banner).toBeVisible();
  await page.getByRole('link', { name: 'Wallet' }).click();
  await expect.element(banner).toBeVisible();
  await expect.element(page.getByText('Engine offline')).toBeVisible();
  api.answer({ 'GET /app/v1/state': () => firstState });
  await expect.element(banner).not.toBeInTheDocument();
});

test('an address without a screen says so, with a way back', async () => {
  await openPage('Jobs');
  location.hash = '#/nonsense';
  await expect.element(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to Enrich' }).click();
  await expect.element(page.getByRole('heading', { name: 'Enrich', exact: true })).toBeVisible();
});

test('the title of a screen gets the focus of a control that went with the screen before', async () => {
  await openPage('Enrich');
  (
    page.getByRole('link', { name: 'Import people and companies' }).element() as HTMLElement
  ).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('heading', { name: 'Directory' })).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Directory' })).toHaveFocus();
  // From there the Tab key can leave the page: after its last control nothing has the focus.
  const last = page.getByRole('link', { name: 'Duplicates' }).element() as HTMLElement;
  last.focus();
  last.blur();
  await userEvent.keyboard('{Shift}');
  expect(document.activeElement).toBe(document.body);
  last.focus();
});

test('the screens of the sidebar have one width', async () => {
  onTestFinished(() => page.viewport(1280, 800));
  await page.viewport(1900, 900);
  const none = () => ({ count: 0, next: null, previous: null, results: [] });
  await openPage('Enrich', { 'GET /app/v1/monitors': () => [], 'GET /app/v1/monitor-jobs': none });
  const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
  const title = page.getByRole('heading', { level: 1 });
  const widths: (number | undefined)[] = [];
  for (const link of links.elements()) {
    (link as HTMLElement).click();
    await expect.element(title).toBeVisible();
    widths.push(title.element().closest('#screen > *')?.getBoundingClientRect().width);
  }
  expect(widths.length).toBeGreaterThan(5);
  expect([...new Set(widths)]).toEqual([1200]);
});

test('a banner says while the engine is read-only, and goes away by itself', async () => {
  const api = await openPage('Jobs');
  await expect.poll(api.countStreams).toBe(1);
  const detail = 'The disk of /data is full. Free some space.';
  const tell = (state: Pick<AppState, 'read_only'>) => {
    api.answer({ 'GET /app/v1/state': () => ({ ...firstState, ...state }) });
    api.tell({ type: 'read-only', ...state });
  };
  tell({ read_only: { reason: 'disk_full', detail } });
  const banner = page.getByRole('alert').filter({ hasText: detail });
  await expect.element(banner).toBeVisible();
  await page.getByRole('link', { name: 'Wallet' }).click();
  await expect.element(banner).toBeVisible();
  tell({ read_only: null });
  await expect.element(banner).not.toBeInTheDocument();
});

test('a failed request can be repeated', async () => {
  const api = await openPage('Jobs', {
    'GET /app/v1/job-list': () => unreachable,
  });
  const refusal = page.getByRole('alert').filter({ hasText: 'The engine is not responding' });
  await expect.element(refusal).toBeVisible();
  api.answer({
    'GET /app/v1/job-list': () => makeJobList([]),
  });
  await refusal.getByRole('button', { name: 'Try again' }).click();
  await expect.element(refusal).not.toBeInTheDocument();
});

test('the sidebar has the credits of an account with a budget, and an event updates them', async () => {
  const budgeted = { ...firstState, account: { ...firstState.account, has_budget: true } };
  const api = await openPage('Jobs', { 'GET /app/v1/state': () => budgeted });
  await expect.element(page.getByText('100,000')).toBeVisible();
  await expect.poll(api.countStreams).toBe(1);
  const wallet = { ...firstState.wallet, available: '7.0000' };
  api.answer({ 'GET /app/v1/state': () => ({ ...budgeted, wallet }) });
  api.tell({ type: 'wallet', wallet });
  await expect.element(page.getByRole('definition').getByText('7', { exact: true })).toBeVisible();
  api.answer({ 'GET /app/v1/state': () => firstState });
  api.tell({ type: 'wallet', wallet: firstState.wallet });
  await expect.element(page.getByText('Reserved')).not.toBeInTheDocument();
});

test('the end of a job changes the running count at once, whatever the page knew of it', async () => {
  const api = await openPage('Jobs', {
    'GET /app/v1/state': () => ({ ...firstState, running_jobs: 2 }),
  });
  const link = page.getByRole('link', { name: /^Jobs/ });
  await expect.element(link).toHaveTextContent('Jobs2 running');
  await expect.poll(api.countStreams).toBe(1);
  const pulse = { rows_per_second: 9, seconds_left: 0, charged_so_far: '2.0000', waiting: null };
  const running = { ...statusExample, status: 'running' as const, ready: false };
  api.tell({ type: 'job', job: running, ...pulse });
  for (const left of [1, 0]) {
    api.answer({ 'GET /app/v1/state': () => ({ ...firstState, running_jobs: left }) });
    // The second job is known by the event of its end alone.
    const job_id = left === 1 ? running.job_id : idOf(9);
    api.tell({ type: 'job', job: { ...statusExample, job_id }, ...pulse });
    if (left === 1) await expect.element(link).toHaveTextContent('Jobs1 running');
  }
  await expect.element(link.getByText('running')).not.toBeInTheDocument();
});

test('a change of the wallet does not hide the end of a job from the sidebar', async () => {
  const api = await openPage('Jobs', {
    'GET /app/v1/state': () => ({ ...firstState, running_jobs: 1 }),
  });
  const link = page.getByRole('link', { name: /^Jobs/ });
  await expect.element(link).toHaveTextContent('Jobs1 running');
  await expect.poll(api.countStreams).toBe(1);
  api.answer({ 'GET /app/v1/state': () => firstState });
  const end = { rows_per_second: 0, seconds_left: null, charged_so_far: '2.0000', waiting: null };
  api.tell({ type: 'job', job: statusExample, ...end });
  api.tell({ type: 'wallet', wallet: firstState.wallet });
  await expect.element(link).toHaveTextContent('Jobs');
});

test('a page without a session shows only how to open one', async () => {
  await openPage('Jobs');
  forgetSession('session-of-the-test');
  await expect.element(page.getByRole('heading', { name: 'This page is locked' })).toBeVisible();
  expect(page.getByRole('navigation').elements()).toEqual([]);
});

test('a session that the engine no longer knows locks the page', async () => {
  const api = await openPage('Jobs');
  api.answer({ 'GET /app/v1/keys': () => refuse('unauthorized') });
  await page.getByRole('link', { name: 'Connections' }).click();
  await expect.element(page.getByRole('heading', { name: 'This page is locked' })).toBeVisible();
});

const refusedLink = 'This link has expired or was already used. Request a new one.';

test('a link that is opened in a locked tab is redeemed at once; a used one is explained', async () => {
  const api = await openPage('Jobs', {
    'POST /app/v1/session': () => refuse('unauthorized', refusedLink),
  });
  await startSession();
  forgetSession('session-of-the-test');
  await expect.element(page.getByRole('heading', { name: 'This page is locked' })).toBeVisible();
  location.hash = '#open=used';
  await expect.element(page.getByText(refusedLink)).toBeVisible();
  api.answer({ 'POST /app/v1/session': () => ({ token: 'a new session' }) });
  location.hash = '#open=new';
  await expect.element(page.getByRole('heading', { name: 'Enrich', level: 1 })).toBeVisible();
  expect(api.askedOf('POST /app/v1/session').map(({ sent }) => sent.code)).toEqual(['used', 'new']);
  await expect.poll(() => location.hash).toBe('#/');
});

test('a refused request with a former session keeps the session that replaced it', async () => {
  const api = await openPage('Jobs');
  api.answer({
    'GET /app/v1/keys'() {
      localStorage.setItem('desk-session', 'redeemed in another tab');
      return refuse('unauthorized');
    },
  });
  await page.getByRole('link', { name: 'Connections' }).click();
  await expect.element(page.getByRole('heading', { name: 'Connections', level: 1 })).toBeVisible();
  // The answer was read: the screen shows the refusal.
  await expect.element(page.getByRole('alert')).toBeVisible();
  expect(api.askedOf('GET /app/v1/keys')).toHaveLength(1);
  expect(localStorage.getItem('desk-session')).toBe('redeemed in another tab');
});

test('with reduced motion nothing is animated, not even a placeholder', async () => {
  const answered = Promise.withResolvers<never>();
  await openPage('Jobs', { 'GET /app/v1/job-list': () => answered.promise });
  await expect.poll(() => document.querySelector('.mantine-Skeleton-root')).not.toBeNull();
  expect(matchMedia('(prefers-reduced-motion: reduce)').matches).toBe(true);
  expect(document.getAnimations()).toEqual([]);
});
