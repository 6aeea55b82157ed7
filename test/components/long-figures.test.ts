// Long amounts at 640 px and 200%, which is a page of 320 px: none reaches into the next.
import { MantineProvider } from '@mantine/core';
import { createElement, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { Figures } from '../../renderer/components/figures.tsx';
import { PriceSums } from '../../renderer/components/price-sums.tsx';

async function show(content: ReactNode): Promise<HTMLElement> {
  await page.viewport(320, 600);
  const place = document.createElement('div');
  place.style.padding = '16px';
  document.body.append(place);
  const root = createRoot(place);
  root.render(createElement(MantineProvider, null, content));
  onTestFinished(async () => {
    root.unmount();
    place.remove();
    await page.viewport(1280, 800);
  });
  await expect.poll(() => place.querySelector('dd, td')).not.toBeNull();
  return place;
}

function extentOf(element: Element): { left: number; right: number } {
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
}

/** Texts that leave their own cell, or the page. */
const listEscaped = (place: HTMLElement): string[] =>
  [...place.querySelectorAll('dt, dd, th, td')].flatMap((cell) => {
    const [text, box] = [extentOf(cell), cell.getBoundingClientRect()];
    const isInside = text.left >= box.left - 1 && text.right <= Math.min(box.right, innerWidth) + 1;
    return isInside ? [] : [cell.textContent ?? ''];
  });

test('balances of a hundred million credits stay in their cells', async () => {
  const value = '123,456,789,012.0001';
  const labels = ['Available', 'Reserved for running jobs', 'Spent'];
  const figures = labels.map((label) => ({ label, value }));
  const place = await show(createElement(Figures, { figures }));
  expect(listEscaped(place)).toEqual([]);
});

test('the sums of a price stay in their cells', async () => {
  const part = { name: 'Donaudampfschifffahrtsgesellschaftskapitän', price: '1.5' };
  const amount = '123456789012.0001';
  const parts = [{ ...part, subtotal: amount }];
  const place = await show(
    createElement(PriceSums, { parts, count: 1_323_154, most: amount, available: amount }),
  );
  expect(listEscaped(place)).toEqual([]);
});
