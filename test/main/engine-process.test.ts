// The engine's process: its states, its restarts after a crash, and its orderly stop.
import { execFile, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { UtilityProcess } from 'electron';
import { expect, test } from 'vitest';
import {
  engineRestartDelayMinMs,
  engineRestartsMax,
  engineRestartsWindowMs,
  engineStopMaxMs,
} from '../../engine/contract/limits/platform.ts';
import { pickEngineEnvironment } from '../../main/engine-environment.ts';
import { EngineProcess, nextRestartDelayMs } from '../../main/engine-process.ts';
import { childFlags } from '../double/utility-process.ts';
import { makeTemporaryFolder } from '../migrations/temporary-store.ts';

const root = join(import.meta.dirname, '../..');

class FakeChild extends EventEmitter {
  pid: number | undefined = 1;
  received: {
    type: string;
    config?: { port: number; sessionToken: string };
    list?: string | null;
  }[] = [];
  postMessage = (message: (typeof this.received)[number]): void => {
    this.received.push(message);
    this.emit('received', message);
  };
  kill = (): boolean => this.end(15);
  ready = () =>
    this.emit('message', { type: 'ready', url: 'http://127.0.0.1:9', pid: 1, dataDir: '/d' });
  end(code: number): boolean {
    this.pid = undefined;
    return this.emit('exit', code);
  }
}

function startFake() {
  const children: FakeChild[] = [];
  const delays: number[] = [];
  const engine = new EngineProcess({
    fork: () => {
      children.push(new FakeChild());
      return children.at(-1) as unknown as UtilityProcess;
    },
    port: 43117,
    findProxy: async (origin) => {
      if (origin.includes('broken')) throw new Error('no settings');
      return `PROXY proxy.example:8080 for ${origin}`;
    },
    // An engine that has not ended when its time is over is ended, which no test waits for.
    waitMs: (delayMs) =>
      delayMs === engineStopMaxMs ? new Promise(() => {}) : Promise.resolve(delays.push(delayMs)),
  });
  engine.start();
  const lastChild = (): FakeChild => children.at(-1) as FakeChild;
  return { engine, children, delays, lastChild };
}
const restarted = (engine: EngineProcess) =>
  new Promise<void>((done) => engine.onChange(({ name }) => name === 'ready' && done()));

test('a started engine receives its folder, its port and a token of 32 random bytes', async () => {
  const { engine, lastChild } = startFake();
  const [start] = lastChild().received;
  expect(start).toMatchObject({ type: 'start', config: { port: 43117 } });
  const token = start?.config?.sessionToken ?? '';
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  lastChild().ready();
  expect(await engine.whenReady()).toEqual({ url: 'http://127.0.0.1:9', token });
});

test('the engine asks for the proxy settings of the system at any time', async () => {
  const { lastChild } = startFake();
  const child = lastChild();
  for (const [id, origin] of ['https://a.example/', 'https://broken.example/'].entries()) {
    const answered = new Promise((resolve) => child.once('received', resolve));
    child.emit('message', { type: 'find_proxy', id, origin });
    await answered;
    child.ready();
  }
  expect(child.received.slice(1)).toEqual([
    { type: 'proxy', id: 0, list: 'PROXY proxy.example:8080 for https://a.example/' },
    { type: 'proxy', id: 1, list: null },
  ]);
});

test('a request before the engine is ready waits for it', async () => {
  const { engine, lastChild } = startFake();
  const address = engine.whenReady();
  lastChild().emit('message', { type: 'nonsense' });
  lastChild().ready();
  expect(await address).toMatchObject({ url: 'http://127.0.0.1:9' });
});

test('an engine that reports why it failed is started again only on request', async () => {
  const { engine, children, lastChild } = startFake();
  const address = engine.whenReady();
  lastChild().emit('message', {
    type: 'failed',
    code: 'port_unavailable',
    message: 'It is taken.',
  });
  await expect(address).rejects.toThrow('It is taken.');
  lastChild().end(1);
  expect([engine.state.name, children.length]).toEqual(['failed', 1]);
  engine.restart();
  lastChild().ready();
  expect([engine.state.name, children.length]).toEqual(['ready', 2]);
});

test('a crashed engine restarts with a new token, with growing delays, and finally no longer', async () => {
  const { engine, children, delays, lastChild } = startFake();
  const crashes: [number, boolean][] = [];
  engine.onCrash(({ exitCode, isRestarted }) => crashes.push([exitCode, isRestarted]));
  const tokens = new Set<string>();
  for (let round = 0; round < engineRestartsMax; round++) {
    lastChild().ready();
    tokens.add((await engine.whenReady()).token);
    const isBack = restarted(engine);
    const before = children.length;
    lastChild().end(139);
    while (children.length === before) await Promise.resolve();
    lastChild().ready();
    await isBack;
  }
  expect(tokens.size).toBe(engineRestartsMax);
  expect(delays).toEqual([1, 2, 4, 8, 16].map((times) => times * engineRestartDelayMinMs));
  lastChild().end(139);
  await expect(engine.whenReady()).rejects.toThrow('stopped repeatedly');
  expect(crashes).toEqual([...Array(engineRestartsMax).fill([139, true]), [139, false]]);
});

test('an engine without memory is reported with the place in V8 alone, and restarts', async () => {
  const { engine, children, lastChild } = startFake();
  const crashes: unknown[] = [];
  engine.onCrash((crash) => crashes.push(crash));
  lastChild().ready();
  const before = children.length;
  lastChild().emit('error', 'FatalError', 'CALL_AND_RETRY_LAST', '{"cwd":"/home/ada"}');
  lastChild().end(134);
  while (children.length === before) await Promise.resolve();
  expect(crashes).toEqual([{ exitCode: 134, location: 'CALL_AND_RETRY_LAST', isRestarted: true }]);
  // An engine can also run out of memory while it stops.
  const stopped = engine.stop();
  lastChild().emit('error', 'FatalError', 'CALL_AND_RETRY_LAST', '{}');
  lastChild().end(134);
  await stopped;
  expect(engine.state.name).toBe('stopped');
});

test('an engine that has stopped and does not end, as during a question of the keychain, is ended', async () => {
  const { engine, lastChild } = startFake();
  lastChild().ready();
  let kills = 0;
  const child = lastChild();
  child.kill = () => {
    kills += 1;
    return child.end(15);
  };
  child.on('received', ({ type }) => type === 'stop' && child.emit('message', { type: 'stopped' }));
  await engine.stop();
  expect(kills).toBe(1);
});

test('an engine whose process has not started yet is stopped too', async () => {
  const { engine, lastChild } = startFake();
  lastChild().pid = undefined;
  const stopped = engine.stop();
  expect(lastChild().received.at(-1)).toEqual({ type: 'stop' });
  lastChild().end(0);
  await stopped;
});

test('exits that are long past do not count', () => {
  const nowMs = engineRestartsWindowMs * 3;
  const old = Array.from({ length: 99 }, (_, at) => at);
  expect(nextRestartDelayMs(old, nowMs)).toBe(engineRestartDelayMinMs);
  expect(nextRestartDelayMs(Array(engineRestartsMax).fill(nowMs - 1), nowMs)).toBeNull();
});

test('stopping asks the engine, waits for its end, and starts nothing again', async () => {
  const { engine, children, lastChild } = startFake();
  lastChild().ready();
  lastChild().on('received', ({ type }) => type === 'stop' && lastChild().end(0));
  await engine.stop();
  expect(lastChild().received.map(({ type }) => type)).toEqual(['start', 'stop']);
  expect([engine.state.name, children.length]).toEqual(['stopped', 1]);
  await expect(engine.whenReady()).rejects.toThrow('closing');
});

test('the engine receives paths, locale and its own variables, and no other secret of the shell', () => {
  const given = { PATH: '/bin', Path: 'C:\\', DESK_PORT: '1', XDG_DATA_HOME: '/d', AWS_KEY: 'x' };
  const places = { ProgramData: 'D:\\Data', APPIMAGE: '/apps/Desk.AppImage' };
  expect(pickEngineEnvironment(places)).toMatchObject(places);
  expect(pickEngineEnvironment({ ...given, LANG: undefined })).toEqual({
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
    MALLOC_TRIM_THRESHOLD_: '131072',
    PATH: '/bin',
    Path: 'C:\\',
    DESK_PORT: '1',
    XDG_DATA_HOME: '/d',
  });
});

test('the engine receives every variable that its sources read', () => {
  const engineDir = join(import.meta.dirname, '../../engine');
  const sources = readdirSync(engineDir, { recursive: true, encoding: 'utf8' })
    // The command line reads its own environment.
    .filter((path) => path.endsWith('.ts') && !/^cli[\\/]/.test(path))
    .map((path) => readFileSync(join(engineDir, path), 'utf8'));
  const names = sources.flatMap((source) => [
    ...[...source.matchAll(/\b(?:process\.)?env\??\.([A-Za-z]\w*)/g)].map(([, name = '']) => name),
    ...[...source.matchAll(/\{([\w\s,]+)\} = process\.env\b/g)].flatMap(([, list = '']) =>
      list.split(',').map((name) => name.trim()),
    ),
  ]);
  const read = [...new Set(names)];
  expect(read).toEqual(expect.arrayContaining(['ProgramData', 'APPIMAGE', 'LOCALAPPDATA']));
  const given = Object.fromEntries(read.map((name) => [name, 'x']));
  expect(pickEngineEnvironment(given)).toMatchObject(given);
});

const urlOf = (path: string) => pathToFileURL(join(root, path)).href;

/** Runs a module as the stand-in runs the engine. Its program is not Node, so forks are fatal. */
async function runAsEngine(source: string): Promise<unknown> {
  const withoutForks = `
    import child from 'node:child_process';
    import { syncBuiltinESMExports } from 'node:module';
    child.fork = () => { throw new Error('the program is not Node'); };
    syncBuiltinESMExports();`;
  const entry = join(makeTemporaryFolder(), 'engine.mjs');
  writeFileSync(entry, `${withoutForks}\n${source}`);
  const args = [...childFlags, entry];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: { ...process.env, DESK_KEYCHAIN: '', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' },
  });
  return JSON.parse(stdout);
}

test('over the stand-in the engine’s process and its threads see Electron', async () => {
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8'),
  );
  const source = `
    import { Worker } from 'node:worker_threads';
    const inside = "import { parentPort } from 'node:worker_threads';" +
      "parentPort.postMessage(process.versions.electron);";
    const entry = new URL('data:text/javascript,' + encodeURIComponent(inside));
    new Worker(entry).on('message', (thread) => {
      console.log(JSON.stringify([process.versions.electron, thread]));
      process.exit();
    });`;
  expect(await runAsEngine(source)).toEqual([version, version]);
});

test('in Electron the keychain is asked in a thread', { tags: ['posix'] }, async () => {
  const source = `
    const { openKeychain } = await import('${urlOf('engine/secrets/keychain-client.ts')}');
    const answer = await openKeychain().read('one').catch(({ message }) => message);
    console.log(JSON.stringify(String(answer)));
    process.exit();`;
  // Linux has no keychain at this address; others have one without the entry.
  expect(await runAsEngine(source)).toMatch(/^null$|dbus/i);
});

test('in Electron a worker of the shared directory is a thread, and its bug ends it', async () => {
  const source = `
    const workers = '${urlOf('engine/shared/workers/supervise-team-worker.ts')}';
    const { superviseTeamWorker } = await import(workers);
    const pids = [];
    superviseTeamWorker({
      login: { address: 'postgres://desk@127.0.0.1:9/team', name: 'test', password: '' },
      retriesRefusal: false,
      onStart: (pid) => pids.push(pid),
      onEnd(how) {
        console.log(JSON.stringify({ pids, how }));
        process.exit();
      },
    });`;
  const how = expect.stringMatching(/must be of type string/);
  expect(await runAsEngine(source)).toEqual({ pids: [null], how });
});

test('an engine with an unhandled rejection ends, and is started again', async () => {
  // Once the engine listens to main, which it does last.
  const rejecting = `process.parentPort.once('newListener', () => void Promise.reject('lost'));`;
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(rejecting)}`];
  const execArgv = [...childFlags, ...flags];
  const engine = fork(join(root, 'engine/app/utility.ts'), [], { execArgv, silent: true });
  let printed = '';
  engine.stderr?.on('data', (text) => {
    printed += text;
  });
  // An engine that goes on ends with 0.
  engine.send({ type: 'stop' });
  const [code] = await once(engine, 'close');
  expect(code).toBe(1);
  expect(printed).toContain('the engine ends after an unhandled rejection');
});
