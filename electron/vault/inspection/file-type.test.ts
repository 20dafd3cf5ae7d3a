import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../base/temporary-folder.fixture.ts';
import { eicar } from '../eicar.fixture.ts';
import { fileType } from './file-type.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

interface PeFacts {
  magic: number;
  characteristics?: number;
  subsystem?: number;
  clr?: boolean;
  at?: number;
}

function peOf({ magic, characteristics = 2, subsystem = 3, clr = false, at = 0x80 }: PeFacts): Buffer {
  const head = Buffer.alloc(1024);
  head.write('MZ');
  head.writeUInt32LE(at, 0x3c);
  head.write('PE\0\0', 0x80, 'latin1');
  head.writeUInt16LE(characteristics, 0x80 + 22);
  head.writeUInt16LE(magic, 0x80 + 24);
  head.writeUInt16LE(subsystem, 0x80 + 24 + 68);
  if (clr) head.writeUInt32LE(0x2008, 0x80 + 24 + (magic === 0x20b ? 112 : 96) + 14 * 8);
  return head;
}

function elfOf({ bits = 2, order = 1, type = 2, machine = 62 }): Buffer {
  const head = Buffer.alloc(64);
  head.write('\x7fELF', 'latin1');
  head.set([bits, order], 4);
  if (order === 2) head.writeUInt16BE(machine, 18);
  else head.writeUInt16LE(machine, 18);
  if (order === 2) head.writeUInt16BE(type, 16);
  else head.writeUInt16LE(type, 16);
  return head;
}

function zipOf(names: readonly string[], content = ''): Buffer {
  return Buffer.concat(
    names.map((name, index) => {
      const record = Buffer.alloc(30);
      record.write('PK\x03\x04', 'latin1');
      record.writeUInt16LE(name.length, 26);
      return Buffer.concat([record, latin(name), latin(index === 0 ? content : '\0\x01')]);
    }),
  );
}

function oleOf(names: readonly string[]): Buffer {
  const head = Buffer.alloc(512 * 4);
  head.write('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1');
  head.writeUInt16LE(9, 30);
  head.writeUInt32LE(1, 48);
  for (const [index, name] of names.entries()) {
    const at = 1024 + index * 128;
    head.write(name, at, 'utf16le');
    head.writeUInt16LE((name.length + 1) * 2, at + 64);
  }
  return head;
}

const isoOf = (): Buffer => Buffer.concat([Buffer.alloc(0x8001), latin('CD001')]);

test.each<[string, Buffer]>([
  ['PE32 exe', peOf({ magic: 0x10b })],
  ['PE32 dll', peOf({ magic: 0x10b, characteristics: 0x2102 })],
  ['PE32+ exe', peOf({ magic: 0x20b })],
  ['PE32+ dll .NET', peOf({ magic: 0x20b, characteristics: 0x2022, clr: true })],
  ['PE32 exe .NET', peOf({ magic: 0x10b, clr: true })],
  ['PE32+ sys', peOf({ magic: 0x20b, subsystem: 1 })],
  ['PE32+ efi', peOf({ magic: 0x20b, subsystem: 10 })],
  ['MZ exe', peOf({ magic: 0x107 })],
  ['MZ exe', peOf({ magic: 0x10b, at: 0xffff_fff0 })],
  ['MZ exe', latin('MZ\x90')],
  ['ELF64 x86-64', elfOf({})],
  ['ELF32 MIPS', elfOf({ bits: 1, order: 2, machine: 8 })],
  ['ELF64 ARM64 object', elfOf({ machine: 183, type: 1 })],
  ['ELF64', elfOf({ machine: 9999 })],
  ['ELF', latin('\x7fELF\x02')],
  ['Mach-O 64 ARM64', latin('\xcf\xfa\xed\xfe\x0c\0\0\x01\0\0\0\0')],
  ['Mach-O 32 PowerPC', latin('\xfe\xed\xfa\xce\0\0\0\x12')],
  ['Mach-O universal', latin('\xca\xfe\xba\xbe\0\0\0\x02')],
  ['Java class', latin('\xca\xfe\xba\xbe\0\0\0\x34')],
  ['DOC', oleOf(['Root Entry', 'WordDocument'])],
  ['XLS', oleOf(['Root Entry', 'Workbook'])],
  ['MSG', oleOf(['Root Entry', '__properties_version1.0'])],
  ['MSI', oleOf(['Root Entry', '\u4840\u3f3f'])],
  ['OLE2', oleOf(['Root Entry'])],
  ['OLE2', latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
  ['DOCX', zipOf(['[Content_Types].xml', '_rels/.rels', 'word/document.xml'])],
  ['XLSX', zipOf(['[Content_Types].xml', 'xl/workbook.xml'])],
  ['PPTX', zipOf(['_rels/.rels', 'ppt/presentation.xml'])],
  ['OOXML', zipOf(['[Content_Types].xml'])],
  ['ODT', zipOf(['mimetype', 'content.xml'], 'application/vnd.oasis.opendocument.text')],
  ['APK', zipOf(['AndroidManifest.xml', 'classes.dex'])],
  ['JAR', zipOf(['META-INF/MANIFEST.MF', 'A.class'])],
  ['ZIP', zipOf(['word/document.xml'])],
  ['ZIP', latin(`PK\x05\x06${'\0'.repeat(18)}`)],
  ['PDF', latin('%PDF-1.7\n%\xe2\xe3\xcf\xd3')],
  ['PDF', latin('%PDF-1.4\n1 0 obj\n')],
  ['RTF', latin('{\\rtf1\\ansi')],
  ['7z', latin('7z\xbc\xaf\x27\x1c\0\x04')],
  ['RAR', latin('Rar!\x1a\x07\x01\0')],
  ['CAB', latin('MSCF\0\0\0\0')],
  ['GZIP', gzipSync('a')],
  ['ISO', isoOf()],
  ['PNG', latin('\x89PNG\r\n\x1a\n\0\0')],
  ['WAV', latin('RIFF\x24\0\0\0WAVEfmt ')],
  ['script (#!)', latin('#!/bin/sh\necho\n')],
  ['script (#!)', latin('\xef\xbb\xbf#!/bin/sh\n')],
  ['HTML', latin('  <!DOCTYPE html>\n<p>')],
  ['HTML', latin('<HTA:APPLICATION id="a">')],
  ['XML', latin('<?xml version="1.0"?><a/>')],
  ['PHP', latin('<?php eval($_POST[0]);')],
  ['email', latin('Received: from mail.example\r\n')],
  ['text', latin('MZ is how a program begins, and BZh or FWS are letters')],
  ['text', Buffer.from('é'.repeat(40_000))],
  ['text', eicar],
  ['text UTF-16', latin('\xff\xfea\0b\0')],
  ['data', latin('\x01\x02\x03')],
  ['data', Buffer.alloc(100)],
])('%s', (type, bytes) => {
  expect(fileType(bytes)).toBe(type);
});

test('a file without bytes has no type', () => {
  expect(fileType(new Uint8Array())).toBeNull();
});

const starts = fc.constantFrom(
  peOf({ magic: 0x20b }),
  elfOf({}),
  oleOf(['Root Entry', 'WordDocument']),
  zipOf(['[Content_Types].xml', 'word/a']),
  latin('\xcf\xfa\xed\xfe\x0c\0\0\x01'),
  latin('RIFF'),
  isoOf(),
  latin('\xff\xfe'),
);

test('hostile file heads get a type in any memory layout: cut anywhere, with any byte changed', () => {
  const changes = fc.array(fc.tuple(fc.nat(2048), fc.nat(255)), { maxLength: 12 });
  fc.assert(
    fc.property(starts, fc.nat(2100), changes, fc.nat(7), (start, length, changed, before) => {
      const memory = Buffer.concat([Buffer.alloc(before), start]);
      const head = memory.subarray(before, before + length);
      for (const [at, byte] of changed) if (at < head.length) head[at] = byte;
      const type = fileType(head);
      expect(type === null).toBe(head.length === 0);
      expect(type ?? '').toMatch(/^[\w+#!(). -]*$/);
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), (head) => {
      expect(fileType(head)).not.toBeNull();
    }),
  );
});

test('the type is found of a real program of this computer and an archive from a real program', async () => {
  expect(fileType(readFileSync(process.execPath).subarray(0, 4096))).toMatch(/^(?:ELF64|PE32\+|Mach-O)/);
  const folder = temporaryFolder();
  execFileSync('7z', ['a', `${folder}/a.zip`, import.meta.filename], { stdio: 'ignore' });
  expect(existsSync(`${folder}/a.zip`)).toBe(true);
  expect(fileType(readFileSync(`${folder}/a.zip`))).toBe('ZIP');
});
