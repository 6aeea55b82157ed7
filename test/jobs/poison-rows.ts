// Preloaded by each match thread: ends the thread at a marked row. `ends-its-thread` ends every
// thread; `ends-one-thread:<path>:` ends only the first, which creates a file at the path.
import { existsSync, writeFileSync } from 'node:fs';
import { parentPort, threadName } from 'node:worker_threads';

const poison = 'ends-its-thread';
const poisonOnce = /ends-one-thread:([^:]+):/;

function endIfPoisoned(bytes: Uint8Array): void {
  const text = Buffer.from(bytes).toString('utf8');
  const marker = poisonOnce.exec(text)?.[1];
  if (marker !== undefined && !existsSync(marker)) {
    writeFileSync(marker, '');
    process.exit(7);
  }
  if (text.includes(poison)) process.exit(7);
}

if (parentPort && threadName === 'match-thread') {
  const listen = parentPort.on.bind(parentPort);
  const watch = (event: string, listener: (message: never) => void) =>
    listen(event, (message) => {
      const { command } = message as { command?: { bytes?: Uint8Array } };
      if (command?.bytes) endIfPoisoned(command.bytes);
      listener(message as never);
    });
  parentPort.on = watch as typeof parentPort.on;
}
