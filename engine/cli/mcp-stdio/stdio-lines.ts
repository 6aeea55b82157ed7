/** Splits standard input into lines of a bounded length, one message each. */

const lineFeed = 0x0a;

/** Yields the bytes of each line without its end, and null for a line that is too long. */
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
