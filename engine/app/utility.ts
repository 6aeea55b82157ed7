// The engine's entry in Electron's utilityProcess. Main starts and stops it by messages.
import { EngineError } from '../contract/errors.ts';
import { defaultDataDir } from '../platform/data-dir.ts';
import { serveSystemProxy } from '../platform/net/system-proxy.ts';
import { findSystemRefusal } from '../platform/sqlite/system-refusal.ts';
import { type Engine, startEngine } from './main.ts';

type FromMain =
  | { type: 'start'; config: { port: number; sessionToken: string } }
  | { type: 'proxy'; id: number; list: string | null }
  | { type: 'stop' };

/** The port to Electron's main process, with the members used here. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: FromMain }) => void): void;
  postMessage(message: unknown): void;
}

const parentPort = (process as unknown as { parentPort?: ParentPort }).parentPort;
let engine: Engine | null = null;

async function start(config: Extract<FromMain, { type: 'start' }>['config']): Promise<void> {
  serveSystemProxy(askMain);
  try {
    engine = await startEngine({
      ...config,
      role: 'primary',
      dataDir: defaultDataDir(),
      socket: true,
      uiDir: null,
    });
    for (const remark of engine.remarks) console.error(remark);
    const { url, updateRules } = engine;
    const dataDir = defaultDataDir();
    parentPort?.postMessage({ type: 'ready', url, pid: process.pid, updateRules, dataDir });
  } catch (error) {
    const refusal = error instanceof EngineError ? error : findSystemRefusal(error);
    if (!refusal) console.error('the engine could not start', error);
    parentPort?.postMessage({
      type: 'failed',
      code: refusal?.code ?? 'internal_error',
      message: refusal?.detail ?? 'The engine could not start. See its log.',
    });
  }
}

async function stop(): Promise<void> {
  await engine?.close();
  parentPort?.postMessage({ type: 'stopped' });
  process.exit(0);
}

const questions = new Map<number, PromiseWithResolvers<string>>();
let lastQuestion = 0;

function askMain(origin: string): Promise<string> {
  lastQuestion += 1;
  const question = Promise.withResolvers<string>();
  questions.set(lastQuestion, question);
  parentPort?.postMessage({ type: 'find_proxy', id: lastQuestion, origin });
  return question.promise;
}

function takeProxy({ id, list }: Extract<FromMain, { type: 'proxy' }>): void {
  const question = questions.get(id);
  questions.delete(id);
  if (list === null) question?.reject(new Error('main could not read the settings'));
  else question?.resolve(list);
}

// Electron only warns of it, and the engine would go on in a state that nobody planned. Main starts
// another, as Node ends one without Electron.
process.on('unhandledRejection', (error) => {
  console.error('the engine ends after an unhandled rejection', error);
  process.exit(1);
});

parentPort?.on('message', ({ data }) => {
  if (data.type === 'start') void start(data.config);
  else if (data.type === 'proxy') takeProxy(data);
  else void stop();
});
