/** The frame of the page: without an engine, without events, and without a session. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { forgetSession } from '../../renderer/api/session.ts';
import { firstState } from './empty-desk.ts';
import { refuse, unreachable } from './fake-api.ts';
import { openPage } from './open-page.tsx';

test('a missing engine is named, and a failed request can be repeated', async () => {
  const api = await openPage('Jobs', {
    'GET /app/v1/state': () => unreachable,
    'GET /app/v1/jobs': () => unreachable,
  });
  await expect.element(page.getByText('Engine offline')).toBeVisible();
  const refusal = page.getByRole('alert').filter({ hasText: 'The engine does not answer' });
  await expect.element(refusal).toBeVisible();
  api.answer({
    'GET /app/v1/jobs': () => ({ count: 0, next: null, previous: null, results: [] }),
  });
  await refusal.getByRole('button', { name: 'Try again' }).click();
  await expect.element(refusal).not.toBeInTheDocument();
});

test('an event updates the wallet of the sidebar', async () => {
  const api = await openPage('Jobs');
  await expect.element(page.getByText('100,000.0000')).toBeVisible();
  await expect.poll(() => api.askedOf('GET /app/v1/state').length).toBeGreaterThan(1);
  const wallet = { ...firstState.wallet, available: '7.0000' };
  api.answer({ 'GET /app/v1/state': () => ({ ...firstState, wallet }) });
  api.tell({ type: 'wallet', wallet });
  await expect.element(page.getByText('7.0000', { exact: true })).toBeVisible();
});

test('a page without a session shows only how to open one', async () => {
  await openPage('Jobs');
  forgetSession();
  await expect.element(page.getByRole('heading', { name: 'This page is locked' })).toBeVisible();
  expect(page.getByRole('navigation').elements()).toEqual([]);
});

test('a session that the engine no longer knows locks the page', async () => {
  const api = await openPage('Jobs');
  api.answer({ 'GET /app/v1/keys': () => refuse('unauthorized') });
  await page.getByRole('link', { name: 'Connections' }).click();
  await expect.element(page.getByRole('heading', { name: 'This page is locked' })).toBeVisible();
});

test('with reduced motion nothing is animated, not even a placeholder', async () => {
  const answered = Promise.withResolvers<never>();
  await openPage('Jobs', { 'GET /app/v1/jobs': () => answered.promise });
  await expect.poll(() => document.querySelector('.mantine-Skeleton-root')).not.toBeNull();
  expect(matchMedia('(prefers-reduced-motion: reduce)').matches).toBe(true);
  expect(document.getAnimations()).toEqual([]);
});
