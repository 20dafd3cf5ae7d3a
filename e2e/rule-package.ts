import { createHash } from 'node:crypto';
import { BlobReader, TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';

/** What is in a package, by path. */
export type PackageFiles = Readonly<Record<string, string>>;

export interface PackedOptions {
  version: string;
  group?: string;
  /** AES-256. */
  password?: string;
  /** Without a manifest, as other servers make them. */
  isBare?: boolean;
}

/** A package as a rule editor serves it. */
export async function packed(
  files: PackageFiles,
  { version, group = 'Release', password, isBare = false }: PackedOptions,
): Promise<Buffer> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), {
    useWebWorkers: false,
    ...(password === undefined ? {} : { password, encryptionStrength: 3 as const }),
  });
  const listed = Object.entries(files).map(([path, text]) => ({
    path,
    sha256: sha256(text),
    sizeBytes: Buffer.byteLength(text),
  }));
  for (const [path, text] of Object.entries(files)) await zip.add(path, new BlobReader(new Blob([text])));
  if (!isBare)
    await zip.add(
      'manifest.json',
      new TextReader(JSON.stringify({ version, group, published: '2026-11-17T08:00:00Z', files: listed })),
    );
  return Buffer.from(await zip.close());
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A rule that compiles; `word` is what it looks for. */
export const ruleText = (name: string, word = name): string =>
  `rule ${name} {\n  meta:\n    author = "test"\n  strings:\n    $a = "${word}"\n  condition:\n    $a\n}\n`;
