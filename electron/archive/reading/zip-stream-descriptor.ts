import { fail } from '../../../shared/failure.ts';
import { damagedEntry } from './zip-stream-inflate.ts';
import type { ByteFeed } from './zip-stream-feed.ts';
import { u32, u64 } from './read-zip-records.ts';
import {
  centralSignature,
  descriptorSignature,
  endSignature,
  localSignature,
  zip64EndSignature,
} from '../zip-format.ts';

/** What an entry turned out to be, which its data descriptor should say too. */
export interface Measured {
  crc32: number;
  storedBytes: number;
  plainBytes: number;
}

/** The four forms in the field: with a signature or without, sizes of 32 or 64 bits. */
const forms = [
  { signed: true, wide: false },
  { signed: true, wide: true },
  { signed: false, wide: false },
  { signed: false, wide: true },
];
type Form = (typeof forms)[number];

const lengthOf = ({ signed, wide }: Form): number => (signed ? 4 : 0) + 4 + (wide ? 16 : 8);
const longest = 24;
/** An end record is the shortest thing that can follow, and shorter descriptors leave room to see its signature. */
const signatureBytes = 4;
const nextSignatures = new Set([localSignature, centralSignature, zip64EndSignature, endSignature]);

/**
 * Reads past the data descriptor. No field tells its form: it is the one that says what was measured, else the one
 * behind which the archive goes on. Resolves to whether it agrees.
 * @throws FailureError `archive-damaged` when no form fits, `archive-truncated`
 */
export async function readDescriptor(feed: ByteFeed, measured: Measured, archiveName: string): Promise<boolean> {
  const bytes = await feed.peek(longest + signatureBytes);
  const agreeing = forms.filter((form) => agrees(bytes, form, measured));
  const form =
    agreeing.find((each) => isFollowed(bytes, each)) ?? agreeing[0] ?? forms.find((each) => isFollowed(bytes, each));
  if (form === undefined || lengthOf(form) > bytes.length) return noForm(feed, bytes, archiveName);
  await feed.skip(lengthOf(form));
  return agreeing.length > 0;
}

const isFollowed = (bytes: Uint8Array, form: Form): boolean => nextSignatures.has(u32(bytes, lengthOf(form)));

function noForm(feed: ByteFeed, bytes: Uint8Array, archiveName: string): never {
  if (bytes.length < longest + signatureBytes) feed.truncated();
  fail({ kind: 'archive-damaged', name: archiveName, reason: 'The data descriptor of an entry is missing' });
}

/** Sizes of 32 bits are the lower half of larger ones. */
function agrees(bytes: Uint8Array, { signed, wide }: Form, { crc32, storedBytes, plainBytes }: Measured): boolean {
  if (signed && u32(bytes, 0) !== descriptorSignature) return false;
  const at = signed ? 4 : 0;
  if (u32(bytes, at) !== crc32) return false;
  if (wide) return u64(bytes, at + 4) === storedBytes && u64(bytes, at + 12) === plainBytes;
  return u32(bytes, at + 4) === storedBytes % 2 ** 32 && u32(bytes, at + 8) === plainBytes % 2 ** 32;
}

/** Some writers put a descriptor behind a folder or an empty file that needs none; it has a signature then. */
export async function skipEmptyDescriptor(feed: ByteFeed, name: string): Promise<void> {
  if (u32(await feed.peek(signatureBytes), 0) !== descriptorSignature) return;
  const isEmpty = await readDescriptor(feed, { crc32: 0, storedBytes: 0, plainBytes: 0 }, name);
  if (!isEmpty) damagedEntry(name, 'Its header and data descriptor disagree on whether it is empty');
}
