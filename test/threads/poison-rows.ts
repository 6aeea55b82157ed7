// Makes a match thread end whenever it is handed a row that says so: each thread loads this first.
import { parentPort, threadName } from 'node:worker_threads';

/** What such a row says. */
const poison = 'ends-its-thread';

if (parentPort && threadName === 'match-thread') {
  const listen = parentPort.on.bind(parentPort);
  const watch = (event: string, listener: (message: never) => void) =>
    listen(event, (message) => {
      const { command } = message as { command?: { bytes?: Uint8Array } };
      if (command?.bytes && Buffer.from(command.bytes).includes(poison)) process.exit(7);
      listener(message as never);
    });
  parentPort.on = watch as typeof parentPort.on;
}
