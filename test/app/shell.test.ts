// The desktop shell: its window, its bridge, and everything that it keeps the page from doing.
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DesktopBridge } from '../../main/desktop-contract.ts';
import { connectClient } from '../assistants/tool-client.ts';
import { type Desk, launch, scratch } from '../launch.ts';
import { goTo, openTab } from '../open-desk.ts';

const contacts = join(import.meta.dirname, '../fixtures/contacts.csv');
const place = scratch();
let desk: Desk;

/** A taken port. The system gives it to no other program: those that it gives are higher. */
const taken = { port: 0, server: createServer() };
/** Listens at a port; null if it is taken. */
const listenAt = (port: number) =>
  new Promise<Server | null>((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
async function takePort(): Promise<void> {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const server = await listenAt(port);
  if (server === null) return takePort();
  Object.assign(taken, { port, server });
}

beforeAll(async () => {
  await takePort();
  desk = await launch(place.dir, { env: { DESK_PORT: String(taken.port) } });
});
afterAll(async () => {
  taken.server.close();
  await desk?.close();
  place[Symbol.dispose]();
});

/** Calls the bridge in the page; an error comes back as its message. */
const ask = (method: keyof DesktopBridge, ...args: unknown[]) =>
  desk.window.evaluate(
    async ([name, values]) => {
      const bridge = window.desk as unknown as Record<string, (...all: unknown[]) => unknown>;
      try {
        return { answer: (await bridge[name]?.(...values)) ?? null };
      } catch (error) {
        return { error: String(error) };
      }
    },
    [method, args] as const,
  );
const listCalls = (api: string) =>
  desk.evaluate(({ seen }, name) => (seen ?? []).filter((call) => call.api === name), api);

test('a taken port is said in the window, and once it is free a retry opens the app', async () => {
  const { window } = desk;
  await window
    .getByRole('alert')
    .filter({ hasText: String(taken.port) })
    .waitFor();
  await new Promise((done) => taken.server.close(done));
  await window.getByRole('button', { name: 'Retry' }).click();
  await window.locator('#root > *').first().waitFor({ state: 'attached' });
  expect(await window.evaluate(async () => (await fetch('/app/v1/state')).status)).toBe(200);
});

test('the window opens on the app’s own scheme with the title of the product', async () => {
  const url = await desk.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getURL(),
  );
  expect(url).toMatch(/^app:\/\/desk\//);
  if (desk.host === 'double') expect(await listCalls('app.enableSandbox')).toHaveLength(1);
  await expect.poll(() => desk.window.title()).toBe('Enrich · Enrichment Desk');
  await expect.poll(() => desk.window.locator('#root > *').count()).toBeGreaterThan(0);
});

test('the bridge has its methods, cannot be changed, and is all that the page gets', async () => {
  const found = await desk.window.evaluate(() => ({
    methods: Object.keys(window.desk ?? {}).sort(),
    isFrozen: Object.isFrozen(window.desk),
    leaks: ['require', 'process', 'module', 'Buffer', 'ipcRenderer'].filter((k) => k in window),
  }));
  expect(found).toEqual({
    methods: [
      'checkUpdates',
      'chooseBackground',
      'chooseUpdates',
      'notify',
      'onCommand',
      'onUpdates',
      'openExternal',
      'openSpreadsheet',
      'pathForFile',
      'platform',
      'readBackground',
      'readUpdates',
      'restartToUpdate',
      'saveAs',
      'showInFolder',
      'takeRequest',
      'versions',
    ],
    isFrozen: true,
    leaks: [],
  });
  expect(await ask('versions')).toMatchObject({ answer: { app: '0.1.0' } });
});

test('every answer has a content policy, and the page a nonce that is new each time', async () => {
  const policies = await desk.window.evaluate(async () => {
    const paths = ['/', '/', '/favicon.svg', '/app/v1/state', '/nothing.js'];
    const answers = await Promise.all(paths.map((path) => fetch(path)));
    return answers.map((answer) => answer.headers.get('content-security-policy') ?? '');
  });
  for (const policy of policies) expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(new Set(policies).size).toBe(policies.length);
  const isStyled = await desk.window.evaluate(
    () => document.querySelectorAll('style').length > 0 && document.styleSheets.length > 0,
  );
  expect(isStyled).toBe(true);
});

test('an inline script and an inline style without the nonce do nothing', async () => {
  const outcome = await desk.window.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.injected = true';
    const style = document.createElement('style');
    style.textContent = 'html { --injected: 1 }';
    document.head.append(script, style);
    const value = getComputedStyle(document.documentElement).getPropertyValue('--injected');
    return ['injected' in window, value];
  });
  expect(outcome).toEqual([false, '']);
});

test.each([
  '/..%2f..%2fpackage.json',
  '/%2e%2e/%2e%2e/package.json',
  '/assets/..%2f..%2f..%2fpackage.json',
  '/assets/missing.js',
  '/%00.js',
])('the path %s is answered with 404', async (path) => {
  const status = await desk.window.evaluate(async (at) => (await fetch(at)).status, path);
  expect(status).toBe(404);
});

test('the page reaches the engine without knowing where it is or by which token', async () => {
  const state = await desk.window.evaluate(async () => {
    const answer = await fetch('/app/v1/state');
    return { status: answer.status, body: await answer.text() };
  });
  expect(state.status).toBe(200);
  const refused = await desk.window.evaluate(async () => (await fetch('/app/v1/nothing')).status);
  expect(refused).toBe(404);
});

test('Connections shows the address of the engine, not of the page', async () => {
  await goTo(desk.window, 'Connections');
  await openTab(desk.window, 'Assistants');
  const section = desk.window.getByRole('region', { name: 'Connect an assistant' });
  const command = section.getByText(/^claude mcp add --transport http \S+ \S+$/);
  const url = (await command.textContent())?.split(' ').at(-1) ?? '';
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/mcp$/);
  await expect(connectClient(url, 'sk_live_wrong')).rejects.toThrow(/401|Unauthorized/i);
});

test('a spreadsheet opened by the menu starts the flow from any screen, and sends no bytes', async () => {
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
  await page.getByText(/300 rows · .*8 columns · UTF-8, semicolon/).waitFor();
  expect(sent.map((text) => JSON.parse(text ?? ''))).toEqual([
    { path: contacts, header: 'auto', extra_cells: 'leave_out' },
  ]);
  await page.getByRole('heading', { name: 'contacts', level: 1 }).waitFor();
});

test('the window cannot be navigated away', async () => {
  const before = desk.window.url();
  await desk.evaluate(({ BrowserWindow }) => {
    const judged: unknown[] = [];
    Object.assign(globalThis, { judged });
    BrowserWindow.getAllWindows()[0]?.webContents.on('will-navigate', (event) => {
      setImmediate(() => judged.push([event.url, event.defaultPrevented]));
    });
  });
  await desk.window.evaluate(() => {
    location.href = 'http://127.0.0.1:9/elsewhere';
  });
  await expect
    .poll(() => desk.evaluate(() => (globalThis as { judged?: unknown[] }).judged))
    .toEqual([['http://127.0.0.1:9/elsewhere', true]]);
  expect(await ask('versions')).toHaveProperty('answer');
  expect(desk.window.url()).toBe(before);
});

test('window.open opens no window; an unknown address is asked for, another is refused', async () => {
  await desk.window.evaluate(() => {
    window.open('https://acme.example/help');
    window.open('http://127.0.0.1:9/help');
  });
  if (desk.host === 'double')
    await expect.poll(() => listCalls('dialog.showMessageBox')).toHaveLength(1);
  const count = await desk.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  expect(count).toBe(1);
});

test('only https leaves the app, and a known host without a question', async () => {
  await desk.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => {
      opened.push(url);
    };
  });
  expect(await ask('openExternal', 'https://www.linkedin.com/in/ada')).toEqual({ answer: true });
  expect(await ask('openExternal', 'file:///etc/passwd')).toEqual({ answer: false });
  const opened = await desk.evaluate(() => (globalThis as { opened?: string[] }).opened);
  expect(opened).toEqual(['https://www.linkedin.com/in/ada']);
});

test('every permission but the clipboard is denied', async () => {
  const states = await desk.window.evaluate(() =>
    Promise.all(
      (['geolocation', 'notifications', 'camera'] as PermissionName[]).map(
        async (name) => (await navigator.permissions.query({ name })).state,
      ),
    ),
  );
  expect(states).not.toContain('granted');
  if (desk.host !== 'double') return;
  const ask = (permission: string, address: string) =>
    desk.evaluate(
      ({ session, BrowserWindow }, [name = '', url = '']) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        const { defaultSession } = session as unknown as {
          defaultSession: { askPermission(c: unknown, p: string, u: string): boolean };
        };
        return defaultSession.askPermission(contents, name, url);
      },
      [permission, address],
    );
  expect(await ask('clipboard-sanitized-write', 'app://desk/')).toBe(true);
  expect(await ask('clipboard-sanitized-write', 'https://evil.example/')).toBe(false);
  expect(await ask('geolocation', 'app://desk/')).toBe(false);
});

test('a malformed question to main is refused by its shape', async () => {
  expect(await ask('showInFolder', 42)).toHaveProperty('error');
  expect(await ask('saveAs', { suggestedName: '', kind: 'exe' })).toHaveProperty('error');
  expect(await ask('notify', { title: 'x' })).toHaveProperty('error');
  expect(await ask('openExternal', 'no address')).toHaveProperty('error');
});

test('another page, even with the same preload, is not answered', async () => {
  const outcome = await desk.evaluate(async ({ app, BrowserWindow }) => {
    const preload = `${app.getAppPath()}/out/preload/preload.cjs`;
    const window = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
    await window.loadURL('data:text/html,<title>foreign</title>');
    const answer = await window.webContents.executeJavaScript(
      "desk.versions().then(() => 'answered', (error) => String(error))",
    );
    window.destroy();
    return answer;
  });
  expect(outcome).toContain('accepts messages only from the app');
});

test('the dialogs hand over what the user chose, and null where they chose nothing', async () => {
  await desk.evaluate(({ dialog }) => {
    dialog.showOpenDialog = async () => ({ canceled: true, filePaths: [] });
    dialog.showSaveDialog = async () => ({ canceled: true, filePath: '' });
  });
  expect(await ask('openSpreadsheet')).toEqual({ answer: null });
  expect(await ask('saveAs', { suggestedName: 'a.csv', kind: 'csv' })).toEqual({ answer: null });
  await desk.evaluate(({ dialog }) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: ['/data/people.csv'] });
    dialog.showSaveDialog = async () => ({ canceled: false, filePath: '/data/out.csv' });
  });
  const chosen = { path: '/data/people.csv', name: 'people.csv' };
  expect(await ask('openSpreadsheet')).toEqual({ answer: chosen });
  const question = { suggestedName: 'a.csv', kind: 'csv' };
  expect(await ask('saveAs', question)).toEqual({ answer: { path: '/data/out.csv' } });
});

test('a picked file tells its path', async () => {
  const file = join(place.dir, 'people.csv');
  writeFileSync(file, 'email\nada@acme.example\n');
  await desk.window.evaluate(() => {
    const input = Object.assign(document.createElement('input'), { type: 'file', id: 'probe' });
    input.addEventListener('change', () => {
      const picked = input.files?.[0];
      if (picked) input.title = window.desk?.pathForFile(picked) ?? '';
    });
    document.body.append(input);
  });
  await desk.window.locator('#probe').setInputFiles(file);
  await expect.poll(() => desk.window.locator('#probe').getAttribute('title')).toBe(file);
  await desk.window.locator('#probe').evaluate((input) => input.remove());
});

test('the menu asks the page to open a spreadsheet, and the theme is remembered', async () => {
  await desk.window.evaluate(() => {
    window.desk?.onCommand((command) => {
      document.documentElement.dataset.command = command;
    });
  });
  const click = (id: string) =>
    desk.evaluate(({ Menu }, name) => {
      Menu.getApplicationMenu()?.getMenuItemById(name)?.click();
    }, id);
  await click('open-file');
  const command = () => desk.window.evaluate(() => document.documentElement.dataset.command);
  await expect.poll(command).toBe('open-file');
  await click('theme-dark');
  const theme = () => desk.evaluate(({ nativeTheme }) => nativeTheme.themeSource);
  await expect.poll(theme).toBe('dark');
});

test('quitting stops the engine, and a second start finds window, theme and data', async () => {
  const created = await desk.window.evaluate(async () => {
    const body = JSON.stringify({ name: 'Kept over a restart' });
    const headers = { 'content-type': 'application/json' };
    return (await fetch('/app/v1/accounts', { method: 'POST', headers, body })).status;
  });
  expect(created).toBe(201);
  await desk.evaluate(({ app }) => {
    setImmediate(() => app.quit());
  });
  expect(await desk.exited).toBe(0);
  // Only an engine that ended by itself takes its socket away.
  expect(existsSync(join(place.dir, 'engine/engine.sock'))).toBe(false);
  await desk.close();
  desk = await launch(place.dir);
  await desk.window.locator('#root > *').first().waitFor({ state: 'attached' });
  const accounts = await desk.window.evaluate(async () => (await fetch('/app/v1/accounts')).text());
  expect(accounts).toContain('Kept over a restart');
  expect(await desk.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark');
});
