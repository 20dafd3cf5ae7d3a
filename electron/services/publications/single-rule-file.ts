import { Buffer } from 'node:buffer';
import { fail } from '../../../shared/failure.ts';
import type { RandomAccess } from '../../archive/reading/zip-random.ts';
import { encodingOf } from '../../rules/rule-encoding.ts';
import type { RuleFile } from '../../rules/rule-file.ts';
import { ruleBytesAtMost } from './package-limits.ts';

/** What a package that is a single file is called in it. */
const singleName = 'rules.yar';
/** Servers of the field add it behind the bytes of a reply (docs/services.md, "downloadfile"). */
const strayBytes = Buffer.from('{}');
const readBytes = 1024 * 1024;

/** A rule begins so; whatever is text and has none is no package. */
const ruleHead = /\brule\s+[A-Za-z_]/;
/** Bytes: what of a piece is looked at with the next one, which a rule may begin in. */
const overlapBytes = 200;

/** Whether text with a rule in it begins so. */
export function beginsRules(beginning: Uint8Array): boolean {
  const isWide = encodingOf(beginning).startsWith('utf-16');
  const text = latin1(beginning);
  return ruleHead.test(isWide ? text.replaceAll('\0', '') : text) && (isWide || !beginning.includes(0));
}

/** @throws FailureError `package-unreadable` */
export async function readSingleFile(source: RandomAccess, sha256: string): Promise<RuleFile> {
  const unreadable = (): never => fail({ kind: 'package-unreadable', sha256, text: '' });
  if (source.sizeBytes > ruleBytesAtMost) unreadable();
  const whole = new Uint8Array(source.sizeBytes);
  let hasRule = false;
  let isWide = false;
  for (let at = 0; at < whole.length; at += readBytes) {
    const piece = await source.read(at, Math.min(readBytes, whole.length - at));
    isWide = at === 0 ? encodingOf(piece).startsWith('utf-16') : isWide;
    if (!isWide && piece.includes(0)) unreadable();
    whole.set(piece, at);
    const looked = latin1(whole.subarray(Math.max(0, at - overlapBytes), at + piece.length));
    hasRule ||= ruleHead.test(isWide ? looked.replaceAll('\0', '') : looked);
  }
  return hasRule ? { path: singleName, bytes: withoutStray(whole) } : unreadable();
}

/** A rule's head is ASCII, whatever is around it. */
const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** No file of rules ends so: a rule has a condition. */
const withoutStray = (bytes: Uint8Array): Uint8Array =>
  strayBytes.equals(bytes.subarray(-strayBytes.length)) ? bytes.subarray(0, -strayBytes.length) : bytes;
