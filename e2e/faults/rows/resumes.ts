import { randomBytes } from 'node:crypto';
import {
  contradicts,
  damaged,
  forbidden,
  lost,
  signIn,
  silent,
  tokenRefused,
  unavailable,
  wrongBytes,
  type DueFailure,
} from './due-failures.ts';
import { due, type FaultRow } from './fault-row.ts';
import { answers, type BytesReply, type Replies, type Sending, sends, whenResumed } from './resume-service.ts';

/** One broken download, and what must be seen of it. */
export interface ResumeRow extends FaultRow {
  action: 'downloadfile' | 'bulkdownload' | 'one by one' | 'download --resume';
  replies: Replies;
  /** Of `download --resume`: what the job meets first, and whether a person stops it then. */
  before?: { replies: Replies; isInterrupted?: boolean };
  /** The service is wrong about the sample and stays so: the same action fails afterwards too. */
  recordIsWrong?: boolean;
  /** Bytes of each sample, where they matter. */
  sampleBytes?: readonly number[];
}

/** Of the sample of `downloadfile`, and where its first transfer breaks. */
const [size, half] = [200_000, 100_000];
/** Within the second of the two samples of a bulk download, and within that sample alone. */
const [inSecond, inAlone] = [200_000, 80_000];
/** Where those of a service that sends no archives break. */
const single = 60_000;
const etag = (tag: string): Sending => ({ validator: { ETag: tag } });
const changedAt = (hour: string): Sending => ({
  validator: { 'Last-Modified': `Mon, 30 Nov 2026 ${hour}:00:00 GMT` },
});
const page = '<!doctype html>\n<html><head><title>Sign in</title></head><body><form></form></body></html>\n';
const others = new Map<number, Buffer>();
/** Other bytes of the same length, the same at each call. */
const other = ({ length }: Buffer): Buffer => {
  const bytes = others.get(length) ?? randomBytes(length);
  others.set(length, bytes);
  return bytes;
};
const withStrayBytes = (whole: Buffer): Buffer => Buffer.concat([whole, Buffer.from('{}')]);
const partOf = (from: number): string => `bytes ${from}-${size - 1}/${size}`;
const breaks = (breaksAt: number, sending: Sending = {}): BytesReply => sends({ ...sending, breaksAt });

const [once, resumed, beganAgain] = [
  'getfile 1, downloadfile 1',
  `getfile 1, downloadfile 1, downloadfile (${half}-) 1`,
  `getfile 1, downloadfile 2, downloadfile (${half}-) 1`,
];
const inVault = '1 of 1 in the vault';

const singly = (
  words: string,
  replies: readonly BytesReply[],
  ends: 'done' | DueFailure,
  requests: string,
  more: Partial<ResumeRow> = {},
): ResumeRow => ({
  words,
  action: 'downloadfile',
  replies: { downloadfile: replies },
  due: ends === 'done' ? due('done', null, requests, inVault) : due('failed', ends, requests),
  ...more,
});

const ofOneSample: readonly ResumeRow[] = [
  singly('breaks once, ranges honoured', [breaks(half, etag('"one"')), sends(etag('"one"'))], 'done', resumed),
  singly('breaks once, ranges honoured without ETag and Last-Modified', [breaks(half), sends()], 'done', resumed),
  singly(
    'breaks once, ranges honoured with a weak ETag',
    [breaks(half, etag('W/"one"')), sends(etag('W/"one"'))],
    'done',
    resumed,
  ),
  singly(
    'breaks once, chunked without a length',
    [breaks(half, { noLength: 'chunked' }), sends({ noLength: 'chunked' })],
    'done',
    resumed,
  ),
  singly(
    'breaks once, without a length to the end of the connection',
    [breaks(half, { noLength: 'open-ended' }), sends({ noLength: 'open-ended' })],
    'done',
    'getfile 1, downloadfile 2',
  ),
  singly(
    'breaks once, ranges ignored (200, whole file)',
    [breaks(half, { ignoresRange: true }), sends({ ignoresRange: true })],
    'done',
    resumed,
  ),
  singly('breaks once, of a sample under 64 KiB', [breaks(20_000), sends()], 'done', 'getfile 1, downloadfile 2', {
    sampleBytes: [48_000],
  }),
  singly(
    'breaks at later bytes each time, ranges honoured',
    [...[40_000, 80_000, 120_000, 160_000].map((at) => breaks(at)), sends()],
    'done',
    `${once}, ${[40_000, 80_000, 120_000, 160_000].map((at) => `downloadfile (${at}-) 1`).join(', ')}`,
  ),
  singly(
    'breaks at later bytes each time, ranges ignored',
    [
      ...[40_000, 80_000, 120_000, 160_000].map((at) => breaks(at, { ignoresRange: true })),
      sends({ ignoresRange: true }),
    ],
    'done',
    `${once}, ${[40_000, 80_000, 120_000, 160_000].map((at) => `downloadfile (${at}-) 1`).join(', ')}`,
  ),
  singly(
    'breaks at the same byte each time, ranges honoured',
    [breaks(half)],
    lost,
    `${once}, downloadfile (${half}-) 3`,
  ),
  singly(
    'breaks at the same byte each time, ranges ignored',
    [breaks(half, { ignoresRange: true })],
    lost,
    `${once}, downloadfile (${half}-) 3`,
  ),
  singly('falls silent once, ranges honoured', [sends({ silentAt: half }), sends()], 'done', resumed),
  singly('falls silent at the same byte each time', [sends({ silentAt: half })], silent, resumed),
  singly('416 for the rest, then the whole file', [breaks(half), answers(416), sends()], 'done', beganAgain),
  singly(
    '416 for the rest, and breaks at the same byte each time',
    [whenResumed(answers(416), breaks(half))],
    lost,
    `getfile 1, downloadfile 4, downloadfile (${half}-) 1`,
  ),
  singly(
    '416 for the rest: the service’s file has become shorter',
    [breaks(half), answers(416), sends({ body: (whole) => whole.subarray(0, 50_000) })],
    wrongBytes,
    beganAgain,
  ),
  singly(
    '206 from another place',
    [breaks(half), sends({ contentRange: (_, length) => `bytes 5-${length - 1}/${length}` }), sends()],
    'done',
    beganAgain,
  ),
  singly('206 without Content-Range', [breaks(half), sends({ contentRange: () => null }), sends()], 'done', beganAgain),
  singly(
    '206 with another total length',
    [breaks(half), sends({ contentRange: (from, length) => `bytes ${from}-${length}/${length + 1}` }), sends()],
    'done',
    beganAgain,
  ),
  singly(
    '206 with an unknown total length',
    [breaks(half), sends({ contentRange: (from, length) => `bytes ${from}-${length - 1}/*` })],
    'done',
    resumed,
  ),
  singly(
    '206 that ends before its Content-Range',
    [breaks(half), sends({ body: (whole) => whole.subarray(0, 150_000), contentRange: partOf }), sends()],
    'done',
    beganAgain,
  ),
  singly(
    '206 with a web page',
    [breaks(half), answers(206, page, { 'Content-Range': partOf(half) }), sends()],
    'done',
    beganAgain,
  ),
  singly(
    '206 with other bytes, then the whole file',
    [breaks(half), sends({ body: other }), sends()],
    'done',
    beganAgain,
  ),
  singly('206 with other bytes, then other bytes', [breaks(half), sends({ body: other })], wrongBytes, beganAgain),
  singly('the record has another SHA-256', [breaks(half), sends()], contradicts, beganAgain, { recordIsWrong: true }),
  singly('ETag changed, the same bytes', [breaks(half, etag('"one"')), sends(etag('"two"'))], 'done', resumed),
  singly(
    'ETag changed, other bytes',
    [breaks(half, etag('"one"')), sends({ ...etag('"two"'), body: other })],
    wrongBytes,
    resumed,
  ),
  singly(
    'ETag changed, If-Range ignored: 206 with other bytes',
    [breaks(half, etag('"one"')), sends({ ...etag('"two"'), body: other, ignoresIfRange: true }), sends(etag('"two"'))],
    'done',
    beganAgain,
  ),
  singly(
    'Last-Modified changed, the same bytes',
    [breaks(half, changedAt('07')), sends(changedAt('08'))],
    'done',
    resumed,
  ),
  singly(
    'Last-Modified changed, other bytes',
    [breaks(half, changedAt('07')), sends({ ...changedAt('08'), body: other })],
    wrongBytes,
    resumed,
  ),
  singly('503 for the rest once', [breaks(half), answers(503), sends()], 'done', `${once}, downloadfile (${half}-) 2`),
  singly('503 for the rest', [breaks(half), answers(503)], unavailable, `${once}, downloadfile (${half}-) 9`),
  singly('200 with a web page for the rest', [breaks(half), answers(200, page)], signIn, resumed),
  singly('401 for the rest', [breaks(half), answers(401)], tokenRefused, resumed),
  singly(
    '403 for the rest',
    [breaks(half), answers(403)],
    forbidden,
    `getfile 2, downloadfile 1, downloadfile (${half}-) 1`,
  ),
  singly(
    'breaks once, gzip unasked',
    [breaks(half, { isCompressed: true }), sends({ isCompressed: true })],
    'done',
    'getfile 1, downloadfile 2',
  ),
  singly(
    'breaks at the same byte each time, gzip unasked',
    [breaks(half, { isCompressed: true })],
    lost,
    'getfile 1, downloadfile 4',
  ),
  singly('206 with gzip', [breaks(half), sends({ isCompressed: true }), sends()], 'done', beganAgain),
  singly(
    'breaks between two stray bytes `{}`, ranges honoured',
    [breaks(size + 1, { body: withStrayBytes }), sends({ body: withStrayBytes })],
    'done',
    `${once}, downloadfile (${size + 1}-) 1`,
  ),
  singly(
    'breaks before two stray bytes `{}` each time',
    [breaks(size, { body: withStrayBytes, ignoresRange: true })],
    'done',
    `${once}, downloadfile (${size}-) 3`,
  ),
  singly(
    'falls silent before two stray bytes `{}` each time',
    [sends({ silentAt: size, body: withStrayBytes, ignoresRange: true })],
    'done',
    `${once}, downloadfile (${size}-) 1`,
  ),
];

const ofTwo = (
  words: string,
  { ends, failed = null, requests }: { ends: string; failed?: DueFailure | null; requests: string },
  row: Pick<ResumeRow, 'replies'> & Partial<ResumeRow>,
): ResumeRow => {
  const stored = ends.match(/done/g)?.length ?? 0;
  const kept = stored === 0 ? 'nothing' : `${stored} of 2 in the vault`;
  return { words, action: 'bulkdownload', due: due(ends, failed, requests, kept), ...row };
};

const halfDone = 'bulkdownload (2) 1, bulkdownload (1) 1';

const ofAnArchive: readonly ResumeRow[] = [
  ofTwo(
    'breaks once, in the second sample',
    { ends: 'done, done', requests: halfDone },
    { replies: { bulkdownload: [breaks(inSecond), sends()] } },
  ),
  ofTwo(
    'breaks at later bytes each time',
    { ends: 'done, done', requests: 'bulkdownload (2) 1, bulkdownload (1) 2, getfile 1, downloadfile 1' },
    { replies: { bulkdownload: [breaks(inSecond), breaks(inAlone), breaks(inAlone + 30_000)] } },
  ),
  ofTwo(
    'breaks at the same byte each time, as archive and as file',
    {
      ends: 'done, failed',
      failed: lost,
      requests: `bulkdownload (2) 1, bulkdownload (1) 2, getfile 1, downloadfile 1, downloadfile (${inAlone}-) 3`,
    },
    { replies: { bulkdownload: [breaks(inSecond), breaks(inAlone)], downloadfile: [breaks(inAlone)] } },
  ),
  ofTwo(
    '503 for the rest once',
    { ends: 'done, done', requests: 'bulkdownload (2) 1, bulkdownload (1) 2' },
    { replies: { bulkdownload: [breaks(inSecond), answers(503), sends()] } },
  ),
  ofTwo(
    'breaks once, gzip unasked',
    { ends: 'done, done', requests: halfDone },
    { replies: { bulkdownload: [breaks(inSecond, { isCompressed: true }), sends({ isCompressed: true })] } },
  ),
  ofTwo(
    'breaks once, and a byte of the next archive is wrong',
    { ends: 'done, failed', failed: damaged, requests: halfDone },
    { replies: { bulkdownload: [breaks(inSecond), sends({ body: withWrongByte })] } },
  ),
];

function withWrongByte(archive: Buffer): Buffer {
  const copy = Buffer.from(archive);
  copy.writeUInt8(copy.readUInt8(inAlone) ^ 1, inAlone);
  return copy;
}

const [eachResumed, eachAgain] = [
  `bulkdownload (2) 1, getfile 2, downloadfile 2, downloadfile (${single}-) 2`,
  `bulkdownload (2) 1, getfile 2, downloadfile 4, downloadfile (${single}-) 2`,
];

const oneByOne = (
  words: string,
  replies: readonly BytesReply[],
  requests: string,
  failed: { ends: string; failure: DueFailure } | null = null,
): ResumeRow =>
  ofTwo(
    words,
    { ends: failed?.ends ?? 'done, done', failed: failed?.failure ?? null, requests },
    { action: 'one by one', replies: { bulkdownload: [answers(404)], downloadfile: replies } },
  );

const withoutArchives: readonly ResumeRow[] = [
  oneByOne('breaks once, ranges honoured', [breaks(single), sends()], eachResumed),
  oneByOne(
    'breaks once, ranges ignored (200, whole file)',
    [breaks(single, { ignoresRange: true }), sends({ ignoresRange: true })],
    eachResumed,
  ),
  oneByOne(
    'breaks at later bytes each time, ranges honoured',
    [breaks(single), breaks(2 * single - 30_000), sends()],
    `${eachResumed}, downloadfile (${2 * single - 30_000}-) 2`,
  ),
  oneByOne(
    'breaks at the same byte each time, ranges honoured',
    [breaks(single)],
    `bulkdownload (2) 1, getfile 2, downloadfile 2, downloadfile (${single}-) 6`,
    { ends: 'failed, failed', failure: lost },
  ),
  oneByOne('416 for the rest, then the whole file', [breaks(single), answers(416), sends()], eachAgain),
  oneByOne('206 without Content-Range', [breaks(single), sends({ contentRange: () => null }), sends()], eachAgain),
  oneByOne('206 with other bytes, then the whole file', [breaks(single), sends({ body: other }), sends()], eachAgain),
  oneByOne('206 with other bytes, then other bytes', [breaks(single), sends({ body: other })], eachAgain, {
    ends: 'mismatch, mismatch',
    failure: wrongBytes,
  }),
  oneByOne('ETag changed, the same bytes', [breaks(single, etag('"one"')), sends(etag('"two"'))], eachResumed),
  oneByOne(
    '503 for the rest once',
    [breaks(single), answers(503), sends()],
    `bulkdownload (2) 1, getfile 2, downloadfile 2, downloadfile (${single}-) 4`,
  ),
  oneByOne(
    'breaks once, gzip unasked',
    [breaks(single, { isCompressed: true }), sends({ isCompressed: true })],
    'bulkdownload (2) 1, getfile 2, downloadfile 4',
  ),
];

const brokeForGood: Replies = {
  bulkdownload: [breaks(inSecond), breaks(inAlone)],
  downloadfile: [breaks(inAlone, { ignoresRange: true })],
};

const continued = (
  words: string,
  { ends, failed, requests }: { ends: string; failed?: DueFailure; requests: string },
  before: NonNullable<ResumeRow['before']>,
  replies: Replies = {},
): ResumeRow =>
  ofTwo(words, { ends, failed: failed ?? null, requests }, { action: 'download --resume', before, replies });

const ofAJob: readonly ResumeRow[] = [
  continued(
    'the first try broke in the second sample',
    { ends: 'done, done; exit 0', requests: 'bulkdownload (1) 1' },
    { replies: brokeForGood },
  ),
  continued(
    'the first try was stopped with Ctrl-C in the second sample',
    { ends: 'done, done; exit 0', requests: 'bulkdownload (1) 1' },
    { replies: { bulkdownload: [sends({ silentAt: inSecond })] }, isInterrupted: true },
  ),
  continued(
    'the first try met a database that is down',
    { ends: 'done, done; exit 0', requests: 'bulkdownload (2) 1' },
    { replies: { bulkdownload: [answers(200, 'Connection Failed: 2002')] } },
  ),
  continued(
    'breaks again, ranges honoured',
    {
      ends: 'done, done; exit 0',
      requests: `bulkdownload (1) 2, getfile 1, downloadfile 1, downloadfile (${inAlone}-) 1`,
    },
    { replies: brokeForGood },
    { bulkdownload: [breaks(inAlone)], downloadfile: [breaks(inAlone), sends()] },
  ),
  continued(
    'breaks again at the same byte each time',
    {
      ends: 'done, failed; exit 5',
      failed: lost,
      requests: `bulkdownload (1) 2, getfile 1, downloadfile 1, downloadfile (${inAlone}-) 3`,
    },
    { replies: brokeForGood },
    brokeForGood.downloadfile === undefined
      ? {}
      : { bulkdownload: [breaks(inAlone)], downloadfile: brokeForGood.downloadfile },
  ),
  continued(
    'a service without `bulkdownload`: breaks again, ranges honoured',
    { ends: 'done, done; exit 0', requests: eachResumed },
    { replies: { bulkdownload: [answers(404)], downloadfile: [breaks(single)] } },
    { bulkdownload: [answers(404)], downloadfile: [breaks(single), sends()] },
  ),
  continued(
    'a service without `bulkdownload`: 206 with other bytes, then other bytes',
    { ends: 'mismatch, mismatch; exit 7', failed: wrongBytes, requests: eachAgain },
    { replies: { bulkdownload: [answers(404)], downloadfile: [breaks(single)] } },
    { bulkdownload: [answers(404)], downloadfile: [breaks(single), sends({ body: other })] },
  ),
  continued(
    '503: the job sleeps, and Ctrl-C pauses it',
    { ends: 'paused: done, waiting; exit 130', requests: 'bulkdownload (1) 3' },
    { replies: brokeForGood },
    { bulkdownload: [answers(503)] },
  ),
];

export const resumes: readonly ResumeRow[] = [...ofOneSample, ...ofAnArchive, ...withoutArchives, ...ofAJob];
