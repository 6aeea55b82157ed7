/** Preloaded in a forked child: provides the process.parentPort of an Electron utility process. */
import { EventEmitter } from 'node:events';

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
