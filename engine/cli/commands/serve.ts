/** `desk serve`: runs the engine with its HTTP server and interface, until Ctrl+C. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../app/main.ts';
import { environmentPaths } from '../../contract/ids.ts';
import { portDefault } from '../../contract/limits/platform.ts';
import { parsePublicUrl } from '../../http/public-url.ts';
import { interfaceDir } from '../../platform/paths.ts';
import { type Call, type Command, type Outcome, readOption } from '../kit/command.ts';
import { openBrowser } from '../kit/open-browser.ts';
import { badUsage } from '../kit/refusal.ts';

const portMax = 65_535;

function readPort(call: Call): number {
  const text = readOption(call, 'port');
  if (text === undefined) return portDefault;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= portMax))
    throw badUsage(`--port ${text} is not a port. Give 0 (a free one) or 1 to ${portMax}.`);
  return port;
}

/** The folder of the built interface; null, with a note, if it has not been built. */
function findInterface(call: Call): string | null {
  const chosen = readOption(call, 'ui');
  const dir = chosen === undefined ? interfaceDir() : call.resolvePath(chosen);
  if (existsSync(join(dir, 'index.html'))) return dir;
  if (chosen !== undefined)
    throw badUsage(`There is no built interface in ${dir}: it has no index.html.`);
  call.terminal.note(
    'The interface is not built yet, so only the API is served. ' +
      'Build it with "npm run build", then start serve again.',
  );
  return null;
}

/** Notes where secrets are kept if not in the keychain, without waiting for the answer. */
function announceSecretKey(call: Call, engine: Engine): void {
  engine.describeSecretKey().then(
    ({ place, detail }) => {
      if (place !== 'keychain') call.terminal.note(`Keychain: ${detail.replace(/\.$/, '')}.`);
    },
    // The engine ended before the keychain answered.
    () => undefined,
  );
}

/** The line of an engine that is ready, or its JSON. */
function describeReady(
  { isJson, dataDir, environment }: Call,
  { url }: Engine,
  openUrl: string,
  publicUrl: URL | null,
): string {
  const publicOrigin = publicUrl?.origin ?? null;
  if (isJson)
    return JSON.stringify({
      event: 'ready',
      url,
      open_url: openUrl,
      pid: process.pid,
      public_url: publicOrigin,
    });
  const shown = publicOrigin ?? url;
  const staging = `The staging environment answers at ${shown}${environmentPaths.staging}`;
  return [
    `Enrichment Desk answers at ${shown}${publicOrigin ? `, by a proxy to ${url}` : ''}`,
    `Open its interface with this link (once, within five minutes): ${openUrl}`,
    ...(environment === 'staging' ? [staging] : []),
    `Data folder: ${dataDir}. Stop it with Ctrl+C.`,
  ].join('\n');
}

function readPublicUrl(call: Call): URL | null {
  const text = readOption(call, 'public-url');
  return text === undefined ? null : parsePublicUrl(text);
}

async function runServe(call: Call): Promise<Outcome> {
  const port = readPort(call);
  const uiDir = findInterface(call);
  const { startEngine } = await import('../../app/main.ts');
  const interrupt = call.catchInterrupt();
  const { dataDir } = call;
  const openStaging = call.environment === 'staging';
  const publicUrl = readPublicUrl(call);
  const engine = await startEngine({
    dataDir,
    port,
    publicUrl,
    socket: true,
    uiDir,
    openStaging,
    role: 'primary',
    ...(call.values.new === true && { startEmpty: call.environment }),
  });
  for (const remark of engine.remarks) call.terminal.note(remark);
  try {
    const opened = new AbortController();
    const openUrl = engine.openUrl(() => opened.abort());
    await call.print(describeReady(call, engine, openUrl, publicUrl));
    announceSecretKey(call, engine);
    const done = AbortSignal.any([opened.signal, interrupt]);
    if (call.values.open)
      openBrowser({ url: openUrl, dataDir, done, note: (line) => call.terminal.note(line) });
    if (!interrupt.aborted)
      await new Promise((stop) => interrupt.addEventListener('abort', stop, { once: true }));
    call.terminal.note(
      'Stopping after the current batch. A running job continues at the next start.',
    );
  } finally {
    await engine.close();
  }
  return { json: undefined, lines: [] };
}

export const serve: Command = {
  name: 'serve',
  summary: 'Start the engine and its interface in the browser',
  options: {
    port: { value: 'N', summary: `the port (default: ${portDefault}); 0 picks a free one` },
    'public-url': {
      value: 'URL',
      summary: 'the address of a proxy with TLS that passes requests on: https://HOST',
    },
    open: { summary: 'open the interface in the browser' },
    new: { summary: 'start empty; existing files are kept aside, never deleted' },
    ui: { value: 'DIR' },
  },
  notes: [
    'Serves live and staging; --staging starts staging now instead of on first use.',
    'It listens only on this machine, even with --public-url. The proxy keeps the Host header.',
    'With --json it prints {"event":"ready","url","open_url","pid","public_url"} when ready.',
    '--new is for a data folder that lost its database. It keeps the old files in the folder',
    'before-new-TIME of the data folder. With --staging it starts only that environment empty.',
    'Fails if the port is in use; never picks another. Ctrl+C ends it after the current batch.',
  ],
  run: runServe,
};
