/** Reads the engine's event stream with fetch and reconnects when it ends. */
import { type AppEvent, AppEventSchema } from '../../engine/contract/events.ts';
import { sessionHeaders } from './client.ts';

const retryDelayMsMax = 5_000;

/** Splits a stream of text into the payloads of its `data:` lines. */
async function* readPayloads(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim();
  }
}

/** Callbacks of the stream. */
export interface EventListeners {
  readonly onEvent: (event: AppEvent) => void;
  /** True while connected; false while the page must poll. */
  readonly onLive: (live: boolean) => void;
}

/** Connects. Returns a function that disconnects. */
export function listenToEvents({ onEvent, onLive }: EventListeners): () => void {
  const stop = new AbortController();
  let retryDelayMs = 250;
  const listenOnce = async () => {
    const response = await fetch('/app/v1/events', {
      headers: { ...sessionHeaders(), accept: 'text/event-stream' },
      signal: stop.signal,
      cache: 'no-store',
    });
    if (!response.ok || !response.body) return;
    retryDelayMs = 250;
    onLive(true);
    for await (const payload of readPayloads(response.body)) {
      const event = AppEventSchema.safeParse(JSON.parse(payload));
      if (event.success) onEvent(event.data);
    }
  };
  const listen = () =>
    void listenOnce()
      .catch(() => undefined)
      .finally(() => {
        if (stop.signal.aborted) return;
        onLive(false);
        setTimeout(listen, retryDelayMs);
        retryDelayMs = Math.min(retryDelayMs * 2, retryDelayMsMax);
      });
  listen();
  return () => stop.abort();
}
