/** Standard input as messages: one on each line, none longer than it may be. */

const lineFeed = 0x0a;

/** The bytes of each line without its end; null for one that is too long, which is let go. */
export async function* readLines(
  input: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<Buffer | null> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  const add = (piece: Uint8Array) => {
    bytes += piece.length;
    if (bytes <= bytesMax) pieces.push(piece);
    else pieces = [];
  };
  const take = () => {
    const line = bytes <= bytesMax ? Buffer.concat(pieces) : null;
    pieces = [];
    bytes = 0;
    return line;
  };
  for await (const chunk of input) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, start);
      if (end < 0) break;
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (bytes > 0) yield take();
}
