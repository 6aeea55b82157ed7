// Hashes of the texts that people are found by, keyed with a secret: SipHash-2-4
// (https://www.aumasson.jp/siphash/siphash.pdf) over UTF-16 code units. Without the secret, a key
// cannot be computed from an email that someone guesses.

/** 64 bits as two unsigned halves. */
export interface Key {
  readonly high: number;
  readonly low: number;
}

export const secretBytes = 16;

export type KeyHasher = (text: string) => Key;

// Four words of 64 bits: v[0] is the low half of the first, v[1] the high half.
const v = new Int32Array(8);

/** v[a] += v[b], as 64 bits. */
function add(a: number, b: number): void {
  const low = (v[a]! >>> 0) + (v[b]! >>> 0);
  v[a + 1] = (v[a + 1]! + v[b + 1]! + (low > 0xffffffff ? 1 : 0)) | 0;
  v[a] = low | 0;
}

/** v[a] = rotate v[a] left by fewer than 32 bits, then xor v[b]. */
function rotateXor(a: number, bits: number, b: number): void {
  const [low, high] = [v[a]!, v[a + 1]!];
  v[a] = ((low << bits) | (high >>> (32 - bits))) ^ v[b]!;
  v[a + 1] = ((high << bits) | (low >>> (32 - bits))) ^ v[b + 1]!;
}

function swap(a: number): void {
  const low = v[a]!;
  v[a] = v[a + 1]!;
  v[a + 1] = low;
}

function round(): void {
  add(0, 2);
  rotateXor(2, 13, 0);
  swap(0);
  add(4, 6);
  rotateXor(6, 16, 4);
  add(0, 6);
  rotateXor(6, 21, 0);
  add(4, 2);
  rotateXor(2, 17, 4);
  swap(4);
}

function take(low: number, high: number): void {
  v[6]! ^= low;
  v[7]! ^= high;
  round();
  round();
  v[0]! ^= low;
  v[1]! ^= high;
}

/** @param secret 16 bytes */
export function createKeyHasher(secret: Uint8Array): KeyHasher {
  if (secret.length !== secretBytes) throw new Error(`a secret has ${secretBytes} bytes`);
  const view = new DataView(secret.buffer, secret.byteOffset, secretBytes);
  const [k0, k1, k2, k3] = [0, 4, 8, 12].map((at) => view.getInt32(at, true)) as [
    ...[number, number, number, number],
  ];
  return (text) => {
    v[0] = k0 ^ 0x70736575;
    v[1] = k1 ^ 0x736f6d65;
    v[2] = k2 ^ 0x6e646f6d;
    v[3] = k3 ^ 0x646f7261;
    v[4] = k0 ^ 0x6e657261;
    v[5] = k1 ^ 0x6c796765;
    v[6] = k2 ^ 0x79746573;
    v[7] = k3 ^ 0x74656462;
    const { length } = text;
    const whole = length & ~3;
    for (let at = 0; at < whole; at += 4)
      take(
        text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16),
        text.charCodeAt(at + 2) | (text.charCodeAt(at + 3) << 16),
      );
    // The last block has the length in bytes in its highest byte; three code units fit below it.
    let [low, high] = [0, ((length * 2) & 0xff) << 24];
    if (length > whole) low |= text.charCodeAt(whole);
    if (length > whole + 1) low |= text.charCodeAt(whole + 1) << 16;
    if (length > whole + 2) high ^= text.charCodeAt(whole + 2);
    take(low, high);
    v[4]! ^= 0xff;
    for (let count = 0; count < 4; count++) round();
    return {
      low: (v[0]! ^ v[2]! ^ v[4]! ^ v[6]!) >>> 0,
      high: (v[1]! ^ v[3]! ^ v[5]! ^ v[7]!) >>> 0,
    };
  };
}

/** A key as PostgreSQL writes a bigint. */
export const keyText = ({ high, low }: Key): string =>
  String((BigInt(high | 0) << 32n) | BigInt(low));
