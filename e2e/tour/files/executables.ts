import { type Filler, filled } from './filler.ts';

interface Section {
  name: string;
  filler: Filler;
  sizeBytes: number;
}

const alignment = 0x200;
const headersBytes = 0x400;
const note = 'A file of the tour of Vitrine. Nothing in here acts.';

/** Headers and sections of a Windows program (Microsoft, "PE Format") without an entry point, an import or code. */
export function windowsProgram(
  seed: string,
  { is64, isDll, sections }: { is64: boolean; isDll: boolean; sections: readonly Section[] },
): Buffer {
  const head = Buffer.alloc(headersBytes);
  head.write('MZ', 'latin1');
  head.writeUInt32LE(0x80, 0x3c);
  head.write(note, 0x40, 'latin1');
  head.write('PE\0\0', 0x80, 'latin1');
  head.writeUInt16LE(is64 ? 0x8664 : 0x014c, 0x84);
  head.writeUInt16LE(sections.length, 0x86);
  head.writeUInt16LE(is64 ? 0xf0 : 0xe0, 0x94);
  head.writeUInt16LE(isDll ? 0x2022 : 0x0022, 0x96);
  head.writeUInt16LE(is64 ? 0x020b : 0x010b, 0x98);
  head.writeUInt16LE(2, 0xdc);
  writeSectionTable(head, 0x98 + (is64 ? 0xf0 : 0xe0), sections);
  return Buffer.concat([
    head,
    ...sections.map(({ name, filler, sizeBytes }) => filled(filler, seed + name, aligned(sizeBytes))),
  ]);
}

function writeSectionTable(head: Buffer, at: number, sections: readonly Section[]): void {
  let begin = headersBytes;
  for (const [index, { name, sizeBytes }] of sections.entries()) {
    const entry = at + index * 40;
    head.write(name.slice(0, 8), entry, 'latin1');
    head.writeUInt32LE(sizeBytes, entry + 8);
    head.writeUInt32LE(0x1000 * (index + 1), entry + 12);
    head.writeUInt32LE(aligned(sizeBytes), entry + 16);
    head.writeUInt32LE(begin, entry + 20);
    begin += aligned(sizeBytes);
  }
}

const aligned = (sizeBytes: number): number => Math.ceil(sizeBytes / alignment) * alignment;

/** The header of an ELF file for x86-64 (System V ABI) with stretches behind it, none of which is loaded. */
export function linuxFile(seed: string, isLibrary: boolean, sections: readonly Section[]): Buffer {
  const head = Buffer.alloc(0x200);
  Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]).copy(head);
  head.writeUInt16LE(isLibrary ? 3 : 2, 16);
  head.writeUInt16LE(62, 18);
  head.writeUInt32LE(1, 20);
  head.writeUInt16LE(64, 52);
  head.write(note, 64, 'latin1');
  return Buffer.concat([
    head,
    ...sections.map(({ name, filler, sizeBytes }) => filled(filler, seed + name, sizeBytes)),
  ]);
}
