import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { eicar } from '../eicar.fixture.ts';
import { blockBytes, holdsZip, mimeOf } from './inspect-staged.ts';
import { asNamed } from './zip-kind.ts';

async function look(bytes: Buffer): Promise<{ mime: string | null; isZip: boolean }> {
  const block = bytes.subarray(0, blockBytes);
  const staged = {
    sizeBytes: bytes.length,
    read: async (position: number, length: number) => bytes.subarray(position, position + length),
  };
  const mime = await mimeOf(block, staged);
  return { mime, isZip: await holdsZip(mime, block, staged) };
}

/** Names, and how many random bytes or which text is in each, in that order. */
type Members = Readonly<Record<string, number | string>>;

/** Made by Python's zipfile, all at once: starting it takes longer than all else. */
async function zipsOf(archives: readonly Members[]): Promise<Buffer[]> {
  const folder = temporaryFolder();
  const program = [
    'import json, os, sys, zipfile',
    'for number, members in enumerate(json.load(sys.stdin)):',
    '    with zipfile.ZipFile(os.path.join(sys.argv[1], str(number)), "w", zipfile.ZIP_DEFLATED) as z:',
    '        for name, what in members.items():',
    '            z.writestr(name, os.urandom(what) if isinstance(what, int) else what)',
  ].join('\n');
  execFileSync('python3', ['-c', program, folder], { input: JSON.stringify(archives) });
  return Promise.all(archives.map((_, number) => readFile(join(folder, String(number)))));
}

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const types = `<Types><Override ContentType="${word}.main+xml"/></Types>`;
const wholeExe = Buffer.concat([Buffer.from('MZ\u0090\u0000\u0003', 'latin1'), Buffer.alloc(200)]);

describe('the type by content', () => {
  test.each<[string, Buffer, string | null]>([
    ['a program for Windows', wholeExe, 'application/x-msdownload'],
    [
      'a program for Linux',
      Buffer.concat([Buffer.from('\u007fELF\u0002\u0001\u0001', 'latin1'), Buffer.alloc(57)]),
      'application/x-elf',
    ],
    ['a PDF', Buffer.from('%PDF-1.7\n%\n1 0 obj'), 'application/pdf'],
    ['a gzip', gzipSync('x'), 'application/gzip'],
    ['words', Buffer.from('hello\r\n\tthere'), 'text/plain'],
    ['words in other letters', Buffer.from('żółć привет 😀'), 'text/plain'],
    ['words that begin as a bitmap does', Buffer.from('BMW, a car maker'), 'text/plain'],
    ['words that begin as a program does', Buffer.from('MZ is what a program begins with'), 'text/plain'],
    ['a script', Buffer.from('#!/usr/bin/env python3\nprint(1)'), 'text/x-script'],
    ['the harmless test file', eicar, 'text/plain'],
    ['words with a zero', Buffer.from('hello\u0000there'), null],
    ['a lone byte that begins a character', Buffer.from('hello \u00e4', 'latin1'), null],
    ['nothing', Buffer.alloc(0), null],
  ])('is correct: %s', async (_, bytes, mime) => {
    expect(await look(bytes)).toEqual({ mime, isZip: false });
  });

  test('is correct for a text whose characters cross the end of the block', async () => {
    for (const shift of ['', '.', '..', '...']) {
      expect(await look(Buffer.from(shift + '😀'.repeat(20_000)))).toEqual({ mime: 'text/plain', isZip: false });
      expect(await look(Buffer.concat([Buffer.from(shift), Buffer.alloc(blockBytes, 0x80)]))).toEqual({
        mime: null,
        isZip: false,
      });
    }
  });
});

describe('a ZIP other than a document or a program', () => {
  const archives: readonly [what: string, members: Members, mime: string][] = [
    ['of a few files', { 'a.exe': 100, 'folder/b.exe': 100 }, 'application/zip'],
    ['of large files', { 'a.exe': 100_000, 'b.exe': 100_000 }, 'application/zip'],
    [
      'of a large file in a folder that is called as a document’s is',
      { 'word/a.exe': 100_000, 'b.exe': 10 },
      'application/zip',
    ],
    ['that is empty', {}, 'application/zip'],
    ['that is a document', { '[Content_Types].xml': types, 'word/document.xml': 100 }, word],
    ['that is a large document', { '[Content_Types].xml': types, 'word/document.xml': 200_000 }, word],
    [
      'that is a document with its types at the end',
      { '_rels/.rels': 100, 'word/document.xml': 200_000, '[Content_Types].xml': types },
      word,
    ],
    [
      'that is a document with something else large at its beginning',
      { 'docProps/thumbnail.jpeg': 200_000, 'word/document.xml': 10, '[Content_Types].xml': types },
      word,
    ],
    [
      'that is a Java program',
      { 'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0', 'A.class': 200 },
      'application/java-archive',
    ],
    [
      'that is a Java program with the manifest at its end',
      { 'A.class': 200_000, 'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0' },
      'application/java-archive',
    ],
    [
      'that is an Android program',
      { 'res/a.png': 200_000, 'AndroidManifest.xml': 100, 'classes.dex': 100, 'META-INF/MANIFEST.MF': 'x' },
      'application/vnd.android.package-archive',
    ],
    [
      'that holds a document’s parts further down',
      { 'a/[Content_Types].xml': types, 'a/word/document.xml': 200_000 },
      'application/zip',
    ],
  ];

  test('is opened, whatever its content', async () => {
    const zips = await zipsOf(archives.map(([, members]) => members));
    const looked = await Promise.all(zips.map(look));
    expect(archives.map(([what], index) => [what, looked[index]])).toEqual(
      archives.map(([what, , mime]) => [what, { mime, isZip: mime === 'application/zip' }]),
    );
  });

  test('is opened with a password', async () => {
    const folder = temporaryFolder();
    await mkdir(join(folder, 'in'));
    await writeFile(join(folder, 'in', 'a.bin'), 'contents');
    execFileSync(
      '7z',
      ['a', '-tzip', '-pinfected', '-mem=AES256', join(folder, 'a.zip'), join(folder, 'in', 'a.bin')],
      { stdio: 'ignore' },
    );
    expect(await look(await readFile(join(folder, 'a.zip')))).toEqual({ mime: 'application/zip', isZip: true });
  });

  test('is also found behind a program, as in self-extracting archives, and the program keeps its type', async () => {
    const zips = await zipsOf([{ a: 10 }]);
    const program = await look(wholeExe);
    expect(program.isZip).toBe(false);
    for (const signature of [0, 5000])
      expect(await look(Buffer.concat([wholeExe, ...zips, Buffer.alloc(signature)]))).toEqual({
        mime: program.mime,
        isZip: true,
      });
    expect((await look(Buffer.concat([wholeExe, ...zips, Buffer.alloc(70_000)]))).isZip).toBe(false);
  });

  test('is nothing else with a few bytes in front or a broken first header', async () => {
    const [zip = Buffer.alloc(0)] = await zipsOf([{ a: 10 }]);
    for (const front of ['\n', '\0\0\0\0', 'PK00'])
      expect(await look(Buffer.concat([Buffer.from(front), zip]))).toEqual({ mime: 'application/zip', isZip: true });
    expect(await look(Buffer.concat([Buffer.from('PK\0\0'), zip.subarray(4)]))).toEqual({
      mime: 'application/zip',
      isZip: true,
    });
  });

  test('is opened by its name, whatever program its members make of it', () => {
    const program = { mime: 'application/java-archive', isZip: false };
    expect(asNamed('invoice.ZIP', program)).toEqual({ mime: 'application/zip', isZip: true });
    expect(asNamed('tool.jar', program)).toEqual(program);
    expect(asNamed('setup.zip', { mime: 'application/x-msdownload', isZip: true })).toEqual({
      mime: 'application/x-msdownload',
      isZip: true,
    });
  });

  test('is found behind a program when its directory is longer than the part read of its end', async () => {
    const zips = await zipsOf([
      Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`${'name'.repeat(10)}${index}`, 1])),
    ]);
    expect((await look(Buffer.concat([wholeExe, ...zips]))).isZip).toBe(true);
  });
});

describe('the reading of hostile bytes', () => {
  const formats = [
    'PK\u0003\u0004',
    'PK\u0005\u0006',
    '\u0089PNG\r\n\u001a\n',
    'ID3\u0003\u0000\u0000',
    'II*\u0000',
    'MM\u0000*',
    '\u001aE\u00df\u00a3',
    'OggS',
    'RIFF',
    'fLaC',
    '0&\u00b2u\u008ef\u00cf\u0011',
    '\u001f\u008b\u0008',
    '\u00ef\u00bb\u00bf',
    '7z\u00bc\u00af\u0027\u001c',
    '\u0000\u0000\u0000\u0018ftyp',
    '!<arch>\n',
    '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1',
    '%PDF',
    'ustar',
  ].map((start) => Buffer.from(start, 'latin1'));

  test('ends for bytes with a known format start', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...formats), fc.uint8Array({ maxLength: 5000 }), async (start, rest) => {
        const { mime } = await look(Buffer.concat([start, rest]));
        expect(mime === null || mime.includes('/')).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('ends for ZIPs that are changed or cut', async () => {
    const zips = await zipsOf([
      { '[Content_Types].xml': types, 'word/document.xml': 500 },
      { mimetype: 'application/epub+zip', a: 70_000 },
      { a: 500, '[Content_Types].xml': types.repeat(100) },
    ]);
    const change = fc.tuple(fc.nat(), fc.nat({ max: 255 }));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...zips),
        fc.array(change, { maxLength: 20 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (zip, changes, share) => {
          const bytes = Buffer.from(zip.subarray(0, Math.ceil(zip.length * share)));
          // Mostly near the beginning, where the headers are
          for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % Math.min(bytes.length, 300)] = byte;
          const looked = await look(bytes);
          const startsAsZip = bytes.indexOf('PK\u0003\u0004') === 0 || bytes.indexOf('PK\u0005\u0006') === 0;
          expect(looked.isZip && startsAsZip && looked.mime !== 'application/zip').toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('ends for a ZIP that inflates to far more than its size', async () => {
    const [zip = Buffer.alloc(0)] = await zipsOf([{ '[Content_Types].xml': 'x'.repeat(20_000_000) }]);
    expect(zip.length).toBeLessThan(blockBytes);
    expect(await look(zip)).toEqual({ mime: 'application/zip', isZip: true });
  });
});
