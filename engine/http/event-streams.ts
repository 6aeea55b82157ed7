// Live events of an environment, as server-sent events to any number of readers.
import { Readable } from 'node:stream';
import type { AppEvent } from '../contract/events.ts';
import { eventBacklogBytesMax, eventHeartbeatIntervalMs } from '../contract/limits/http-server.ts';

/**
 * Subscribes a listener to all events until the returned function is called. `accountId` is the
 * account of the event; null for events of the environment (directory, tasks).
 */
export type Subscribe = (
  listener: (event: AppEvent, accountId: number | null) => void,
) => () => void;

export interface EventStreams {
  /**
   * Opens a stream of the events of an account and of the environment. It ends when its reader
   * disconnects or falls behind, its session ends, or the server closes.
   * @param sessionId the browser's session; null without one
   */
  open(accountId: number, sessionId: string | null): Readable;
  endSession(sessionId: string): void;
  /** Publishes an event that the environment does not publish itself; null for every account. */
  readonly publish: Parameters<Subscribe>[0];
  close(): void;
}

export function createEventStreams(subscribe: Subscribe): EventStreams {
  const streams = new Map<Readable, { accountId: number; sessionId: string | null }>();
  const write = (text: string, accountId: number | null) => {
    for (const [stream, owner] of streams) {
      if (accountId !== null && owner.accountId !== accountId) continue;
      // A reader that fell behind reloads the state when it reconnects.
      if (stream.readableLength > eventBacklogBytesMax) stream.destroy();
      else stream.push(text);
    }
  };
  const publish: EventStreams['publish'] = (event, accountId) =>
    write(`data: ${JSON.stringify(event)}\n\n`, accountId);
  const unsubscribe = subscribe(publish);
  const heartbeat = setInterval(() => write(': alive\n\n', null), eventHeartbeatIntervalMs).unref();
  return {
    open(accountId, sessionId) {
      const stream = new Readable({ read: () => undefined });
      stream.once('close', () => streams.delete(stream));
      streams.set(stream, { accountId, sessionId });
      stream.push(': open\n\n');
      return stream;
    },
    endSession(sessionId) {
      for (const [stream, owner] of streams) if (owner.sessionId === sessionId) stream.push(null);
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
