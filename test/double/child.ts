// Preloaded in a forked child and its threads: what an Electron utility process has beyond Node.
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';

const { version } = createRequire(import.meta.url)('electron/package.json') as { version: string };
// By this, the engine chooses threads where the program cannot start plain Node.
Object.defineProperty(process, 'versions', {
  value: Object.freeze({ ...process.versions, electron: version }),
});

const parentPort = Object.assign(new EventEmitter(), {
  postMessage: (data: unknown) => {
    process.send?.(data);
  },
  start: () => {},
});
const waiting: unknown[] = [];
// Electron queues messages that arrive before the first listener.
parentPort.on('newListener', (name) => {
  if (name !== 'message') return;
  for (const data of waiting.splice(0)) setImmediate(() => parentPort.emit('message', { data }));
});
process.on('message', (data) => {
  if (!parentPort.emit('message', { data, ports: [] })) waiting.push(data);
});
process.on('disconnect', () => process.exit(0));
Object.defineProperty(process, 'parentPort', { value: parentPort });
