import { BlobReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { filled } from './filler.ts';

/** A day in November on every machine: the format has no time zone. */
const packedAt = new Date(2026, 10, 17, 9, 30);

/** Members stored as they are, so that the archive is the same whatever packs it. */
export async function storedZip(members: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), {
    useWebWorkers: false,
    level: 0,
    extendedTimestamp: false,
    dataDescriptor: false,
    lastModDate: packedAt,
  });
  for (const [name, bytes] of Object.entries(members))
    await zip.add(name, new BlobReader(new Blob([new Uint8Array(bytes)])));
  return Buffer.from(await zip.close());
}

const contentTypes =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="xml" ContentType="application/xml"/></Types>';
const documentOf = (text: string): string =>
  '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">' +
  `<w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`;

/** A document in Office Open XML with the place of a macro, and no macro in it. */
export const macroDocument = (seed: string): Promise<Buffer> =>
  storedZip({
    '[Content_Types].xml': Buffer.from(contentTypes),
    '_rels/.rels': Buffer.from('<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>'),
    'word/document.xml': Buffer.from(documentOf(filled('text', seed, 9000).toString('latin1'))),
    'word/media/image1.png': filled('packed', seed, 150_000),
    'word/vbaProject.bin': filled('code', seed, 38_000),
  });

/** One page with a picture that is noise, and an action that is empty. */
export function pdfDocument(seed: string): Buffer {
  const stream = filled('packed', seed, 70_000);
  const [head, foot] = [
    [
      '%PDF-1.7',
      '1 0 obj <</Type /Catalog /Pages 2 0 R /OpenAction 5 0 R>> endobj',
      '2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj',
      '3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R>> endobj',
      `4 0 obj <</Length ${stream.length}>> stream`,
      '',
    ],
    [
      '',
      'endstream endobj',
      '5 0 obj <</S /JavaScript /JS ()>> endobj',
      'trailer <</Root 1 0 R /Size 6>>',
      '%%EOF',
      '',
    ],
  ];
  return Buffer.concat([
    Buffer.from((head ?? []).join('\n'), 'latin1'),
    stream,
    Buffer.from((foot ?? []).join('\n'), 'latin1'),
  ]);
}

/** A compound file (MS-CFB) whose directory names a table, as an installer's does. */
export function installer(seed: string): Buffer {
  const head = Buffer.alloc(2048);
  head.write('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1');
  head.writeUInt16LE(9, 30);
  head.writeUInt32LE(1, 48);
  for (const [index, name] of ['Root Entry', '\u4840\u3f3f'].entries()) {
    head.write(name, 1024 + index * 128, 'utf16le');
    head.writeUInt16LE((name.length + 1) * 2, 1024 + index * 128 + 64);
  }
  return Buffer.concat([
    head,
    filled('text', seed, 24_000),
    filled('empty', seed, 6_000),
    filled('packed', seed, 410_000),
    filled('text', seed, 9_000),
  ]);
}

/** The fixed header of a Windows shortcut (MS-SHLLINK) to a place that does not exist. */
export function shortcut(seed: string): Buffer {
  const head = Buffer.alloc(0x4c);
  head.writeUInt32LE(0x4c, 0);
  Buffer.from('0114020000000000c000000000000046', 'hex').copy(head, 4);
  head.writeUInt32LE(0x80, 0x14);
  return Buffer.concat([
    head,
    Buffer.from('C:\\NOWHERE\\notice.pdf', 'utf16le'),
    filled('empty', seed, 700),
    filled('text', seed, 1_400),
  ]);
}
