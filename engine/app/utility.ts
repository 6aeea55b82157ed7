/** The engine's entry in Electron's utilityProcess. Main starts and stops it by messages. */
import { EngineError } from '../contract/errors.ts';
import { defaultDataDir } from '../platform/data-dir.ts';
import { findSystemRefusal } from '../platform/sqlite/system-refusal.ts';
import { type Engine, startEngine } from './main.ts';

/** Messages from main. */
type FromMain =
  | { type: 'start'; config: { port: number; sessionToken: string } }
  | { type: 'stop' };

/** The port to Electron's main process, with the members used here. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: FromMain }) => void): void;
  postMessage(message: unknown): void;
}

const parentPort = (process as unknown as { parentPort?: ParentPort }).parentPort;
let engine: Engine | null = null;

async function start(config: Extract<FromMain, { type: 'start' }>['config']): Promise<void> {
  try {
    engine = await startEngine({
      ...config,
      role: 'host',
      dataDir: defaultDataDir(),
      socket: true,
      uiDir: null,
    });
    for (const remark of engine.remarks) console.error(remark);
    parentPort?.postMessage({ type: 'ready', url: engine.url, pid: process.pid });
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

parentPort?.on('message', ({ data }) => void (data.type === 'start' ? start(data.config) : stop()));
