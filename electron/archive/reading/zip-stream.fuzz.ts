import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { archiveLimits } from '../../../shared/domain/opened-archive.ts';
import { FailureError } from '../../../shared/failure.ts';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { bytesForm, choiceForm, pairForm } from '../../../shared/testing/input-forms.ts';
import { collected, inChunks } from '../raw-zip.fixture.ts';
import { madeZips, soundZips } from '../zip-inputs.fixture.ts';
import { readZipStream, type StreamedPart } from './zip-stream.ts';

const limits = { ...archiveLimits, members: 4, memberBytes: 100_000, totalBytes: 150_000, expansionFreeBytes: 50_000 };
const kinds = ['archive-truncated', 'archive-damaged', 'archive-limit'];
const chunkSizes = [1, 13, 4096] as const;

export const target = fuzzTarget({
  name: 'zip-stream',
  reads: 'a ZIP stream, as it arrives',
  holds:
    'no more files and bytes than the limits, the same parts for any chunk boundaries; an archive read to its ' +
    'end gives all its files',
  form: pairForm(bytesForm, choiceForm(chunkSizes)),
  seeds: soundZips.map((zip) => [zip, 13] as const),
  made: fc.tuple(madeZips, fc.constantFrom(...chunkSizes)),
  async attack([zip, chunkBytes]) {
    const reported = await partsOf(zip, chunkBytes);
    mustHold(
      JSON.stringify(reported) === JSON.stringify(await partsOf(zip, zip.length + 1)),
      'it depends on how the bytes are cut',
    );
    const members = membersOf(zip);
    const isWhole = reported.every((line) => /^(?:whole|streamed|refused) /.test(line));
    mustHold(
      !isWhole || members === null || reported.length === members,
      `it gives ${reported.length} members of ${members}`,
    );
  },
});

/**
 * How many members are no folders, by the local headers alone. Null where one does not show it: flags other than that
 * of UTF-8, a size that is elsewhere, an extra field, bytes in a folder.
 */
function membersOf(zip: Uint8Array): number | null {
  const bytes = Buffer.from(zip);
  let members = 0;
  for (let at = 0; at + 30 <= bytes.length && bytes.readUInt32LE(at) === 0x04034b50;) {
    const [method, storedBytes, plainBytes, extraBytes] = [
      bytes.readUInt16LE(at + 8),
      bytes.readUInt32LE(at + 18),
      bytes.readUInt32LE(at + 22),
      bytes.readUInt16LE(at + 28),
    ];
    const nameEnd = at + 30 + bytes.readUInt16LE(at + 26);
    const isFolder = bytes[nameEnd - 1] === 0x2f;
    const isOdd = isFolder && (plainBytes > 0 || storedBytes > 0 || ![0, 8].includes(method));
    if (
      (bytes.readUInt16LE(at + 6) & ~0x800) !== 0 ||
      extraBytes > 0 ||
      plainBytes === 0xffffffff ||
      storedBytes === 0xffffffff ||
      isOdd
    )
      return null;
    members += isFolder ? 0 : 1;
    at = nameEnd + storedBytes;
  }
  return members;
}

/** What was given, in words, and how it ended. */
async function partsOf(zip: Uint8Array, chunkBytes: number): Promise<string[]> {
  const reported: string[] = [];
  const given = { members: 0, bytes: 0 };
  try {
    for await (const part of readZipStream(inChunks(zip, chunkBytes), {
      archiveName: 'a.zip',
      limits,
      wholeBytes: 1000,
    })) {
      given.members += 1;
      const bytes = await bytesOf(part);
      given.bytes += typeof bytes === 'number' ? bytes : 0;
      reported.push(`${part.kind} ${part.name} ${bytes}`);
    }
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    mustHold(kinds.includes(error.failure.kind), `it fails with ${error.failure.kind}`);
    reported.push(error.failure.kind);
  }
  mustHold(given.members <= limits.members, `it gives ${given.members} members`);
  mustHold(given.bytes <= limits.totalBytes, `it gives ${given.bytes} bytes`);
  return reported;
}

async function bytesOf(part: StreamedPart): Promise<number | string> {
  if (part.kind === 'refused') return part.failure.kind;
  if (part.kind === 'whole') return part.bytes.length;
  try {
    return (await collected(part.kind === 'streamed' ? part.chunks : part.rest)).length;
  } catch (error) {
    if (error instanceof FailureError) return error.failure.kind;
    throw error;
  }
}
