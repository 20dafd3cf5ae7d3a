import { hash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { directoryOf, localHeader } from '../bench/zip-records.ts';
import { listenOnLoopback } from './loopback-server.ts';

/** A repository whose replies are as large, and as hard to show, as it may make them. Its replies lie ready. */
export interface HostileRepository {
  baseUrl: string;
  /** A sample of which a hundred thousand comments were made. */
  discussed: string;
  /** A sample whose every text freezes a page that draws it as it came. */
  hostile: string;
  /** How its page calls that one. */
  hostileName: string;
  close(): void;
}

const md5Of = (name: string): string => hash('md5', name);
export const hostileComments = 100_000;
const archiveMembers = 300_000;
const uploadItems = 200_000;

/** What a browser is slow with: no place to break at, marks without end, a direction that turns at each letter. */
const hardTexts: readonly string[] = [
  `e${'\u0301'.repeat(20_000)}`,
  'A'.repeat(60_000),
  'a\u05d0'.repeat(30_000),
  `${'\u202e'.repeat(20_000)}x`,
  '\u{1f468}\u200d'.repeat(10_000),
  'a\n'.repeat(20_000),
  '\u0628'.repeat(60_000),
  `e${'\u0301'.repeat(30)}`.repeat(2_000),
];
const hardText = (at: number, most: number): string => (hardTexts[at % hardTexts.length] ?? '').slice(0, most);

const commentAt = (at: number) => ({
  id: at + 1,
  parent: at % 20 === 0 ? null : at,
  content: `remark ${at + 1}`,
  author: `analyst ${at % 17}`,
  created: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString(),
});
const listOf = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

const discussedRecord = () => ({
  md5: md5Of('discussed'),
  filename: 'discussed.bin',
  comments: listOf(hostileComments, commentAt),
});

const hostileName = 'hostile.bin';
const hostileRecord = () => ({
  md5: md5Of('hostile'),
  filename: hostileName,
  threat: hardText(2, 60_000),
  mime: hardText(6, 60_000),
  signer: hardText(1, 60_000),
  pdbpath: hardText(0, 20_001),
  tags: hardTexts.map((text) => text.slice(0, 20_000)),
  urls: listOf(5000, (at) => `report ${at}|https://x.example/${at}`),
  extra: Object.fromEntries(listOf(300, (at) => [`field ${at}`, hardText(at, 3000)])),
  comments: listOf(1000, (at) => ({ ...commentAt(at), author: hardText(at, 2000), content: hardText(at, 4500) })),
});

/** Of empty members, each with a name of its own. */
function manyMembers(): Buffer {
  const deflatedNothing = Buffer.from([3, 0]);
  const pieces: Buffer[] = [];
  let at = 0;
  const entries = listOf(archiveMembers, (number) => {
    const entry = { md5: md5Of(String(number)), crc32: 0, storedBytes: deflatedNothing.length, plainBytes: 0, at };
    const header = localHeader(entry);
    pieces.push(header, deflatedNothing);
    at += header.length + deflatedNothing.length;
    return entry;
  });
  return Buffer.concat([...pieces, directoryOf(entries)]);
}

export async function startHostileRepository(): Promise<HostileRepository> {
  const records = new Map(
    [discussedRecord(), hostileRecord()].map((file) => [file.md5, Buffer.from(JSON.stringify({ file }))]),
  );
  const unknown = Buffer.from('{"file":null}');
  const uploaded = Buffer.from(JSON.stringify({ files: listOf(uploadItems, (at) => ({ md5: md5Of(`u${at}`) })) }));
  let archive: Buffer | null = null;
  const answer = (url: URL): Buffer => {
    switch (url.searchParams.get('action')) {
      case 'bulkdownload':
        return (archive ??= manyMembers());
      case 'uploadfiles':
        return uploaded;
      default:
        return records.get(url.searchParams.get('hash') ?? '') ?? unknown;
    }
  };
  const send = (response: ServerResponse, body: Buffer): void =>
    void response.writeHead(200, { 'content-length': body.length }).end(body);
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => send(response, answer(new URL(request.url ?? '', 'http://127.0.0.1'))));
  });
  return {
    baseUrl: await listenOnLoopback(server),
    discussed: md5Of('discussed'),
    hostile: md5Of('hostile'),
    hostileName,
    close: () => server.close().closeAllConnections(),
  };
}
