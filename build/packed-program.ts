import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { extractFile, listPackage, statFile } from '@electron/asar';
import { root } from './paths.ts';

/** A file of an archive. */
export interface PackedFile {
  /** From the archive's top, without a slash before it, with `/` in it. */
  path: string;
  bytes: number;
  /** It lies beside the archive, in `app.asar.unpacked`. */
  isBeside: boolean;
}

/**
 * The largest size of an archive, in bytes; files beside it do not count. A tenth of it is how jschardet detects
 * encodings.
 */
export const mostArchiveBytes = 14_000_000;

/** Whatever else is in an archive has no business there. */
const known = [
  /^package\.json$/,
  /^\.out\/host\/electron\/(main|lab|scanner)\.js$/,
  /^\.out\/host\/electron\/preload\.cjs$/,
  /^\.out\/host\/electron\/[a-z-]+(\/[a-z-]+)*-worker\.js$/,
  /^\.out\/host\/electron\/rules\/engine\/yara-x\.(wasm|node)$/,
  /^\.out\/host\/electron\/storage\/migrations\/\d{3}-[a-z-]+\.sql$/,
  /^\.out\/host\/chunks\/[\w-]+\.js$/,
  /^\.out\/page\/index\.html$/,
  /^\.out\/page\/assets\/[\w.-]+\.(js|css|woff2|svg)$/,
];
/** The system loads native code from a file of its own, and nothing else. */
const besides = /\.node$/;

/**
 * Texts that none of our files may contain: who built it and where, a key, and the test file of the antivirus programs,
 * which would remove the program.
 */
const neverWithin: readonly (readonly [what: string, text: string])[] = [
  ['the folder it was built in', root],
  ['the home of who built it', join(homedir(), '/')],
  ['the name of a source map', 'sourceMappingURL='],
  ['a private key', 'PRIVATE KEY-----\n'],
  ['the EICAR file', ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')],
];
/** Comes as its makers built it, and names folders of theirs. */
const asDelivered = /\.(wasm|node)$/;

export function packedFiles(archive: string): PackedFile[] {
  return listPackage(archive, { isPack: false }).flatMap((listed) => {
    const path = listed.replaceAll('\\', '/').slice(1);
    const entry = statFile(archive, path);
    return 'size' in entry ? [{ path, bytes: entry.size, isBeside: 'unpacked' in entry && entry.unpacked }] : [];
  });
}

/** What is wrong with an archive, in sentences without a full stop; none when it holds what it should. */
export function faultsOf(archive: string): string[] {
  const files = packedFiles(archive);
  const { size } = statSync(archive);
  return [
    ...files.filter(({ path }) => !known.some((pattern) => pattern.test(path))).map(({ path }) => `${path} is in it`),
    ...files
      .filter(({ path, isBeside }) => isBeside !== besides.test(path))
      .map(({ path, isBeside }) => `${path} lies ${isBeside ? 'beside' : 'in'} it`),
    ...files
      .filter(({ path }) => !asDelivered.test(path))
      .flatMap(({ path }) => withinOf(path, extractFile(archive, path))),
    ...(size > mostArchiveBytes ? [`it weighs ${size} bytes, more than ${mostArchiveBytes}`] : []),
  ];
}

const withinOf = (path: string, bytes: Buffer): string[] =>
  neverWithin.filter(([, text]) => bytes.includes(text)).map(([what]) => `${path} holds ${what}`);

export const sha256Of = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
