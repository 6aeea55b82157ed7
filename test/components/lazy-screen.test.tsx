// Screens whose files load when they are first shown.
import { MantineProvider } from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { lazyScreen } from '../../renderer/lazy-screen.tsx';

function show(element: React.ReactNode): void {
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  root.render(<MantineProvider>{element}</MantineProvider>);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
}

const Loaded = ({ id }: { id: number }) => <h1>Screen {id}</h1>;

test('a screen shows its shape until its file is loaded', async () => {
  const file = Promise.withResolvers<typeof Loaded>();
  const Screen = lazyScreen(() => file.promise);
  show(<Screen id={7} />);
  await expect.poll(() => document.querySelector('[aria-busy=true]')).not.toBeNull();
  file.resolve(Loaded);
  await expect.element(page.getByRole('heading', { name: 'Screen 7' })).toBeVisible();
  expect(document.querySelector('[aria-busy=true]')).toBeNull();
});

test('a screen that was loaded before is shown at once', async () => {
  let imports = 0;
  const Screen = lazyScreen(async () => {
    imports += 1;
    return Loaded;
  });
  await Promise.all([Screen.load(), Screen.load()]);
  const shapes: number[] = [];
  const watch = new MutationObserver(() =>
    shapes.push(document.querySelectorAll('[aria-busy=true]').length),
  );
  watch.observe(document.body, { childList: true, subtree: true });
  show(<Screen id={8} />);
  await expect.element(page.getByRole('heading', { name: 'Screen 8' })).toBeVisible();
  watch.disconnect();
  expect({ imports, shapes: Math.max(...shapes) }).toEqual({ imports: 1, shapes: 0 });
});

test('a screen whose file is missing says so and can be loaded again', async () => {
  let isThere = false;
  const Screen = lazyScreen(async () => {
    if (!isThere) throw new TypeError('Failed to fetch dynamically imported module');
    return Loaded;
  });
  show(<Screen id={9} />);
  await expect.element(page.getByText(/^A file of this page is missing/)).toBeVisible();
  isThere = true;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByRole('heading', { name: 'Screen 9' })).toBeVisible();
});
