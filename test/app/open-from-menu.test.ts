/** File, Open spreadsheet: works from any screen of the desktop shell, and sends no bytes. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { launch, scratch } from '../launch.ts';
import { goTo } from '../open-desk.ts';

const contacts = join(import.meta.dirname, '../fixtures/contacts.csv');

test('a spreadsheet opened by the menu starts the flow from any screen', async () => {
  const place = scratch();
  const desk = await launch(place.dir);
  onTestFinished(async () => {
    await desk.close();
    place[Symbol.dispose]();
  });
  const page = desk.window;
  const sent: (string | null)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/app/v1/uploads')) sent.push(request.postData());
  });
  await goTo(page, 'Wallet');
  await desk.evaluate(({ dialog, Menu }, path) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
    Menu.getApplicationMenu()?.getMenuItemById('open-file')?.click();
  }, contacts);
  await page.getByText('300 rows · 8 columns · UTF-8, semicolon').waitFor();
  expect(sent).toEqual([JSON.stringify({ path: contacts })]);
  await page.getByRole('heading', { name: 'Enrich', level: 1 }).waitFor();
});
