// The theme: contrast of red text and buttons, and the size of small targets.
import {
  Alert,
  Button,
  Checkbox,
  CloseButton,
  Code,
  Kbd,
  MantineProvider,
  Stack,
  TextInput,
} from '@mantine/core';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import '@mantine/core/styles.css';
import '../../renderer/styles.css';
import { resolveVariables, theme } from '../../renderer/theme.ts';
import { expectAccessible } from './accessibility.ts';

async function show(parts: React.ReactNode): Promise<void> {
  const place = document.createElement('div');
  document.body.append(place);
  document.documentElement.lang = 'en';
  document.title = 'Theme';
  const root = createRoot(place);
  root.render(
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      defaultColorScheme="auto"
    >
      <main>
        <h1>Theme</h1>
        <Stack p="xl">{parts}</Stack>
      </main>
    </MantineProvider>,
  );
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  await expect.element(page.getByRole('heading', { name: 'Theme' })).toBeVisible();
}

test('red texts and buttons have enough contrast in both color schemes', async () => {
  await show(
    <>
      <TextInput label="Domain" defaultValue="a b" error="This is not a domain." withAsterisk />
      {(['filled', 'light', 'outline', 'subtle', 'transparent', 'default'] as const).map((look) => (
        <Button key={look} color="red" variant={look}>
          Delete {look}
        </Button>
      ))}
    </>,
  );
  await expectAccessible();
});

test('a warning, an error and a fact have grounds of their own, with enough contrast', async () => {
  await show(
    ['yellow', 'red', 'teal', 'indigo'].map((color) => (
      <Alert key={color} color={color} title={`Title ${color}`}>
        Text
      </Alert>
    )),
  );
  const grounds = [...document.querySelectorAll('.mantine-Alert-root')].map(
    (alert) => getComputedStyle(alert).backgroundColor,
  );
  expect(new Set(grounds).size).toBe(4);
  await expectAccessible();
});

test('clear buttons and checkboxes have targets of at least 24 px', async () => {
  await show(
    <>
      <CloseButton size="xs" aria-label="Clear xs" />
      <CloseButton size="sm" aria-label="Clear sm" />
      <Checkbox size="xs" aria-label="Column" m="xl" />
    </>,
  );
  for (const button of document.querySelectorAll('.mantine-CloseButton-root')) {
    const { width, height } = button.getBoundingClientRect();
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
  }
  const box = document.querySelector('input[type=checkbox]')!;
  const { left, top, right, bottom } = box.getBoundingClientRect();
  expect(right - left).toBeLessThan(24);
  const reach = (24 - (right - left)) / 2;
  for (const [x, y] of [
    [left - reach + 0.5, (top + bottom) / 2],
    [right + reach - 0.5, (top + bottom) / 2],
    [(left + right) / 2, top - reach + 0.5],
    [(left + right) / 2, bottom + reach - 0.5],
  ] as const)
    expect(document.elementFromPoint(x, y)).toBe(box);
});

test('keys have the font of the text, and code one of the system, never a typewriter font', async () => {
  await show(
    <>
      <Kbd>Esc</Kbd>
      <Code>desk serve</Code>
    </>,
  );
  const fontOf = (text: string) =>
    getComputedStyle(page.getByText(text, { exact: true }).element()).fontFamily;
  expect(fontOf('Esc')).toBe(getComputedStyle(document.body).fontFamily);
  expect(fontOf('desk serve')).toMatch(/^ui-monospace, /);
  expect(fontOf('desk serve')).not.toContain('Courier');
});
