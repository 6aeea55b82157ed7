/** Idle event streams: the answer to a GET without a live session. */
import { toolStreamHeartbeatMs } from '../../contract/limits/assistants.ts';

/** Opens and closes idle streams. */
export interface IdleStreams {
  open(signal: AbortSignal): Response;
  close(): void;
}

/** Creates the streams of one endpoint. */
export function createIdleStreams(): IdleStreams {
  const open = new Set<() => void>();
  const encoder = new TextEncoder();
  return {
    open(signal) {
      let end: () => void = () => undefined;
      const body = new ReadableStream({
        start(controller) {
          const say = (comment: string) => controller.enqueue(encoder.encode(`: ${comment}\n\n`));
          say('open');
          const beats = setInterval(() => say('still here'), toolStreamHeartbeatMs);
          end = () => {
            if (!open.delete(end)) return;
            clearInterval(beats);
            controller.close();
          };
          open.add(end);
          signal.addEventListener('abort', end, { once: true });
        },
        cancel: () => end(),
      });
      const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
      return new Response(body, { headers });
    },
    close() {
      for (const end of [...open]) end();
    },
  };
}
