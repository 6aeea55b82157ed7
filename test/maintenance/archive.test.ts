// An archive returns what was put in, and refuses what is incomplete.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { type Header, pack as packTar } from 'tar-stream';
import { expect, test } from 'vitest';
import { packArchive, unpackArchive } from '../../engine/maintenance/archive.ts';

const collect = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(Buffer.from(piece));
  return Buffer.concat(all);
};
const pack = (files: readonly (readonly [name: string, bytes: Uint8Array])[]): Promise<Buffer> =>
  collect(
    packArchive(
      files.map(([name, bytes]) => ({
        name,
        sizeBytes: bytes.length,
        content: Readable.from([Buffer.from(bytes)]),
      })),
    ),
  );
async function* cut(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function unpack(bytes: Buffer, size: number): Promise<[string, Buffer][]> {
  const files: [string, Buffer][] = [];
  for await (const entry of unpackArchive(cut(bytes, size)))
    files.push([entry.name, await collect(entry.content)]);
  return files;
}

test('any files are returned unchanged, whatever the size of the chunks', async () => {
  const file = fc.tuple(
    fc.stringMatching(/^[a-z0-9]{1,20}(\/[a-z0-9.]{1,20})?$/),
    fc.uint8Array({ maxLength: 2_000 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(file, { maxLength: 5 }),
      fc.integer({ min: 1, max: 900 }),
      async (files, size) => {
        const found = await unpack(await pack(files), size);
        expect(found).toEqual(files.map(([name, bytes]) => [name, Buffer.from(bytes)]));
      },
    ),
    { numRuns: 50 },
  );
});

test('unread parts of an entry are skipped', async () => {
  const bytes = await pack([
    ['a', Buffer.alloc(700, 'a')],
    ['b', Buffer.from('b')],
  ]);
  const names: string[] = [];
  for await (const { name } of unpackArchive(cut(bytes, 100))) names.push(name);
  expect(names).toEqual(['a', 'b']);
});

test('the system’s tar reads it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-archive-'));
  try {
    writeFileSync(
      join(folder, 'a.tar'),
      await pack([['jobs/x/input.csv', Buffer.from('a,b\n1,2\n')]]),
    );
    execFileSync('tar', ['-xf', 'a.tar'], { cwd: folder });
    expect(readFileSync(join(folder, 'jobs/x/input.csv'), 'utf8')).toBe('a,b\n1,2\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a size beyond octal digits is written and read in binary', async () => {
  const sizeBytes = 9 * 1024 ** 3;
  const archive = packArchive([{ name: 'large', sizeBytes, content: Readable.from([]) }]);
  const header = await archive.next();
  const entries = unpackArchive(Readable.from([header.value]));
  expect((await entries.next()).value).toMatchObject({ name: 'large', sizeBytes });
});

test.each([
  ['ends early', (bytes: Buffer) => bytes.subarray(0, 900), 'Unexpected end of data'],
  ['promises more than it has', (bytes: Buffer) => bytes.subarray(0, 1_024), 'Unexpected end'],
  ['is no tar', () => Buffer.alloc(2_048, 'x'), 'Invalid tar header'],
  ['has a changed name', (bytes: Buffer) => bytes.fill('z', 0, 1), 'Invalid tar header'],
  [
    'continues with garbage',
    (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(512, 'x')]),
    'Invalid tar header',
  ],
] as const)('an archive that %s is refused', async (_what, harm, sentence) => {
  const bytes = await pack([['a', Buffer.alloc(700, 'a')]]);
  const refusal = { code: 'validation_error', detail: expect.stringContaining(sentence) };
  await expect(unpack(harm(bytes), 512)).rejects.toMatchObject(refusal);
});

/** Changes fields of the first header, and its checksum. */
function rewriteHeader(bytes: Buffer, change: (header: Buffer) => void): Buffer {
  change(bytes);
  bytes.fill(' ', 148, 156);
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
}

test.each<[string, (header: Buffer) => void, string]>([
  ['too large', (header) => header.write('00000010000', 124, 'latin1'), 'Unexpected end of data'],
  ['too small', (header) => header.write('00000000010', 124, 'latin1'), 'Invalid tar header'],
  ['negative', (header) => header.fill(0xff, 124, 136), 'Invalid'],
  ['no number', (header) => header.write('size unknown', 124, 'latin1'), 'Invalid'],
])('an archive with a size that is %s is refused', async (_what, change, sentence) => {
  const bytes = rewriteHeader(await pack([['a', Buffer.alloc(700, 'a')]]), change);
  const refusal = { code: 'validation_error', detail: expect.stringContaining(sentence) };
  await expect(unpack(bytes, 512)).rejects.toMatchObject(refusal);
});

test.each<NonNullable<Header['type']>>([
  'symlink',
  'link',
  'directory',
  'fifo',
  'character-device',
  'block-device',
  'contiguous-file',
])('an archive with a %s is refused', async (type) => {
  const tar = packTar();
  tar.entry({ name: 'a', type, linkname: '/etc/passwd' }, '');
  tar.finalize();
  await expect(unpack(await buffer(tar as AsyncIterable<Uint8Array>), 512)).rejects.toMatchObject({
    code: 'validation_error',
    detail: expect.stringContaining('a is not a plain file'),
  });
});

test('an error of the source is passed on unchanged', async () => {
  const bytes = await pack([['a', Buffer.alloc(700, 'a')]]);
  const broken = Object.assign(new Error('the disk fails'), { code: 'EIO' });
  const source = async function* () {
    yield bytes.subarray(0, 900);
    throw broken;
  };
  const read = async () => {
    for await (const { content } of unpackArchive(source())) await collect(content);
  };
  await expect(read()).rejects.toBe(broken);
});

test('a reader or writer that stops early closes the source', async () => {
  const closed: string[] = [];
  const endless = async function* (name: string) {
    try {
      for (;;) yield Buffer.alloc(512);
    } finally {
      closed.push(name);
    }
  };
  const archive = packArchive([{ name: 'a', sizeBytes: 2 ** 40, content: endless('written') }]);
  const reading = async function* () {
    try {
      yield* archive;
    } finally {
      closed.push('read');
    }
  };
  for await (const { name } of unpackArchive(reading())) {
    expect(name).toBe('a');
    break;
  }
  await expect.poll(() => closed.toSorted()).toEqual(['read', 'written']);
});

test('a file that changes its size during packing is reported as a bug', async () => {
  const content = Readable.from([Buffer.from('abc')]);
  await expect(collect(packArchive([{ name: 'a', sizeBytes: 2, content }]))).rejects.toThrow(
    'a has 3 bytes instead of 2',
  );
});
