/** The live events of an environment, as server-sent events to any number of readers. */
import { Readable } from 'node:stream';
import type { AppEvent } from '../contract/events.ts';
import { eventBacklogBytesMax, eventHeartbeatIntervalMs } from '../contract/limits/http-server.ts';

/**
 * A subscription: called for every event until the returned function is called. `accountId` is the
 * account that the event is about, null for the environment's own (directory, tasks).
 */
export type Subscribe = (
  listener: (event: AppEvent, accountId: number | null) => void,
) => () => void;

/** Streams that are open. */
export interface EventStreams {
  /**
   * A new stream of what concerns an account, or the environment as a whole, from now on. It ends
   * when its reader goes, falls behind, or the server closes.
   */
  open(accountId: number): Readable;
  /** Tells what the environment itself does not tell; null for every account. */
  readonly publish: Parameters<Subscribe>[0];
  close(): void;
}

/** Begins to listen to an environment. */
export function createEventStreams(subscribe: Subscribe): EventStreams {
  const streams = new Map<Readable, number>();
  const write = (text: string, accountId: number | null) => {
    for (const [stream, owner] of streams) {
      if (accountId !== null && owner !== accountId) continue;
      // A reader that fell behind reads the state anew when it comes back.
      if (stream.readableLength > eventBacklogBytesMax) stream.destroy();
      else stream.push(text);
    }
  };
  const publish: EventStreams['publish'] = (event, accountId) =>
    write(`data: ${JSON.stringify(event)}\n\n`, accountId);
  const unsubscribe = subscribe(publish);
  const heartbeat = setInterval(() => write(': alive\n\n', null), eventHeartbeatIntervalMs).unref();
  return {
    open(accountId) {
      const stream = new Readable({ read: () => undefined });
      stream.once('close', () => streams.delete(stream));
      streams.set(stream, accountId);
      stream.push(': open\n\n');
      return stream;
    },
    publish,
    close() {
      clearInterval(heartbeat);
      unsubscribe();
      for (const stream of streams.keys()) stream.push(null);
      streams.clear();
    },
  };
}
