// The price of a pipeline is asked for at once when the screen opens, and after a pause later.
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useSettledText } from '../../../../renderer/screens/pipelines/price-step.tsx';

function Settled({ text, isReady }: { text: string; isReady: boolean }) {
  return useSettledText(text, isReady);
}

test('the first question that is ready is asked at once, and later ones when they rest', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const place = document.createElement('div');
  const root = createRoot(place);
  onTestFinished(() => {
    root.unmount();
    vi.useRealTimers();
  });
  const show = (text: string, isReady: boolean) => {
    flushSync(() => root.render(createElement(Settled, { text, isReady })));
    return place.textContent;
  };
  expect(show('nobody', false)).toBe('nobody');
  expect(show('everyone', true)).toBe('everyone');
  expect(show('sales', true)).toBe('nobody');
  flushSync(() => void vi.advanceTimersByTime(150));
  expect(place.textContent).toBe('sales');
});
