// Reads the data of server-sent events.

/** Yields the data of each event, without comments and other fields. */
export async function* readEventData(answer: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  for await (const piece of answer) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const ended of lines) {
      const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended;
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
      if (line !== '' || data.length === 0) continue;
      yield data.join('\n');
      data = [];
    }
  }
}
