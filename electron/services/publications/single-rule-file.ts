import { Buffer } from 'node:buffer';
import { fail } from '../../../shared/failure.ts';
import type { RandomAccess } from '../../archive/reading/zip-random.ts';
import type { RuleFile } from '../../rules/rule-file.ts';
import { ruleBytesAtMost } from './package-limits.ts';

/** What a package that is a single file is called in it. */
const singleName = 'rules.yar';
/** Servers of the field add it behind the bytes of a reply (docs/services.md, "downloadfile"). */
const strayBytes = Buffer.from('{}');
const readBytes = 1024 * 1024;

/** A rule begins so; whatever is text and has none is no package. */
const ruleHead = /\brule\s+[A-Za-z_]/;

/** @throws FailureError `package-too-large`, `package-unreadable` */
export async function readSingleFile(source: RandomAccess, sha256: string): Promise<RuleFile> {
  if (source.sizeBytes > ruleBytesAtMost) fail({ kind: 'package-unreadable', sha256, text: '' });
  const bytes = withoutStray(await readAll(source));
  const text = new TextDecoder('utf-8').decode(bytes);
  if (text.includes('\0') || !ruleHead.test(text)) fail({ kind: 'package-unreadable', sha256, text: '' });
  return { path: singleName, bytes };
}

async function readAll(source: RandomAccess): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < source.sizeBytes; at += readBytes) pieces.push(await source.read(at, Math.min(readBytes, source.sizeBytes - at)));
  return Buffer.concat(pieces);
}

/** No file of rules ends so: a rule has a condition. */
const withoutStray = (bytes: Buffer): Buffer => (bytes.subarray(-strayBytes.length).equals(strayBytes) ? bytes.subarray(0, -strayBytes.length) : bytes);
