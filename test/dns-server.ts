// A name server on loopback with the real protocol (RFC 1035) over UDP. It answers from a table,
// and fails, lies or never answers as a test says.
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** The records of a name. Any name below it is unknown. */
export interface Zone {
  /** Mail hosts by priority; '' as a host's name is a null MX. */
  readonly mx?: readonly (readonly [priority: number, host: string])[];
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  /** The failure returned instead of an answer. */
  readonly fails?: 'servfail' | 'refused' | 'silent';
}

export interface DnsServer {
  /** For Resolver.setServers and DESK_DNS_SERVERS. */
  readonly address: string;
  /** Every question so far, `MX engines.org`. A test may empty it. */
  readonly questions: string[];
  /** The table; a test may change it. */
  readonly zones: Map<string, Zone>;
  /** How names outside the table are answered: correctly, or with a false answer. */
  unknown: 'no_such_name' | Zone;
  close(): Promise<void>;
}

/** The host that proves to the engine that a network resolves names. */
const rootZone: readonly [string, Zone] = ['a.root-servers.net', { a: ['198.41.0.4'] }];

const types: Readonly<Record<number, 'A' | 'MX' | 'AAAA'>> = { 1: 'A', 15: 'MX', 28: 'AAAA' };
const codes = { servfail: 2, no_such_name: 3, refused: 5 } as const;
const headerBytes = 12;

const writeName = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split('.')
      .filter(Boolean)
      .map((label) => Buffer.from([label.length, ...Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ]);

/** The question of a message: its name, type and bytes. */
function readQuestion(message: Buffer): { name: string; type: number; bytes: Buffer } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const bytes = message.subarray(headerBytes, at + 5);
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), bytes };
}

const writeV6 = (address: string): Buffer => {
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => text.split(':').filter(Boolean);
  const zeros = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array(zeros).fill('0'), ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
};

/** The data of each record of a type. */
function writeRecords(zone: Zone, type: number): Buffer[] {
  const kind = types[type];
  if (kind === 'A') return (zone.a ?? []).map((ip) => Buffer.from(ip.split('.').map(Number)));
  if (kind === 'AAAA') return (zone.aaaa ?? []).map(writeV6);
  if (kind !== 'MX') return [];
  return (zone.mx ?? []).map(([priority, host]) =>
    Buffer.concat([Buffer.from([priority >> 8, priority & 255]), writeName(host)]),
  );
}

function writeAnswer(query: Buffer, question: Buffer, code: number, records: Buffer[]): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  // A response, recursion desired and available.
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  const answers = records.map((data) => {
    // A pointer to the question's name, then its type and class, a minute, and the data.
    const head = Buffer.alloc(12);
    head.writeUInt16BE(0xc00c, 0);
    question.copy(head, 2, question.length - 4);
    head.writeUInt32BE(60, 6);
    head.writeUInt16BE(data.length, 10);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([header, question, ...answers]);
}

/**
 * Starts a server that ends with the test. The root zone exists unless the table says otherwise.
 */
export async function startDnsServer(table: Readonly<Record<string, Zone>>): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const zones = new Map([rootZone, ...Object.entries(table)]);
  const questions: string[] = [];
  const server: DnsServer = {
    get address() {
      return `127.0.0.1:${socket.address().port}`;
    },
    questions,
    zones,
    unknown: 'no_such_name',
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const { name, type, bytes } = readQuestion(query);
    questions.push(`${types[type] ?? type} ${name}`);
    const zone = zones.get(name) ?? server.unknown;
    if (zone !== 'no_such_name' && zone.fails === 'silent') return;
    const failure = zone === 'no_such_name' ? zone : zone.fails;
    const code = failure === undefined || failure === 'silent' ? 0 : codes[failure];
    const records = zone === 'no_such_name' || failure ? [] : writeRecords(zone, type);
    socket.send(writeAnswer(query, bytes, code, records), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  let isClosed = false;
  const { close } = server;
  server.close = async () => {
    if (!isClosed) await close();
    isClosed = true;
  };
  onTestFinished(() => server.close());
  return server;
}
