import { createHash } from 'node:crypto';
import { installer, macroDocument, pdfDocument, shortcut, storedZip } from './documents.ts';
import { linuxFile, windowsProgram } from './executables.ts';
import { filled } from './filler.ts';

/** A file that a person drops on the tour: plausible to look at, harmless, and the same bytes every time. */
export interface TourFile {
  name: string;
  bytes: Buffer;
  tags: readonly string[];
  /** As its menu has it. */
  tlp: 'CLEAR' | 'GREEN' | 'AMBER' | 'AMBER+STRICT' | 'RED';
}

export interface TourFiles {
  files: readonly TourFile[];
  /** An archive that is opened, with what is in it. */
  archive: { name: string; bytes: Buffer; members: readonly TourFile[] };
}

export const md5Of = ({ bytes }: Pick<TourFile, 'bytes'>): string => createHash('md5').update(bytes).digest('hex');

const script = (firstLine: string, seed: string, sizeBytes: number): Buffer =>
  Buffer.concat([Buffer.from(`${firstLine}\r\n`), filled('text', seed, sizeBytes)]);

export async function makeTourFiles(): Promise<TourFiles> {
  const members: TourFile[] = [
    {
      name: 'label_scan.js',
      bytes: script('// A script of the tour: words, and nothing that runs', 'label', 21_000),
      tags: ['family:quillpost', 'script:js'],
      tlp: 'GREEN',
    },
    {
      name: 'label_image.dat',
      bytes: filled('packed', 'label image', 130_000),
      tags: ['family:quillpost'],
      tlp: 'GREEN',
    },
  ];
  const bytes = await storedZip(Object.fromEntries(members.map((member) => [member.name, member.bytes])));
  return {
    files: [...programs(), ...(await documents()), ...others()],
    archive: { name: 'parcel-label.zip', bytes, members },
  };
}

function programs(): TourFile[] {
  const helper = windowsProgram('helper', {
    is64: true,
    isDll: true,
    sections: [
      { name: '.text', filler: 'code', sizeBytes: 310_000 },
      { name: '.rdata', filler: 'text', sizeBytes: 90_000 },
      { name: '.data', filler: 'empty', sizeBytes: 22_000 },
      { name: '.pdata', filler: 'code', sizeBytes: 14_000 },
      { name: '.rsrc', filler: 'packed', sizeBytes: 260_000 },
      { name: '.reloc', filler: 'code', sizeBytes: 9_000 },
      { name: '.ovl', filler: 'packed', sizeBytes: 64_000 },
    ],
  });
  const invoice = windowsProgram('invoice', {
    is64: false,
    isDll: false,
    sections: [
      { name: '.text', filler: 'code', sizeBytes: 40_000 },
      { name: '.data', filler: 'empty', sizeBytes: 8_000 },
      { name: '.rsrc', filler: 'packed', sizeBytes: 360_000 },
    ],
  });
  const sync = [
    { name: 'text', filler: 'code', sizeBytes: 420_000 },
    { name: 'rodata', filler: 'text', sizeBytes: 130_000 },
    { name: 'bss', filler: 'empty', sizeBytes: 30_000 },
    { name: 'debug', filler: 'text', sizeBytes: 90_000 },
  ] as const;
  const sensor = [
    { name: 'text', filler: 'code', sizeBytes: 96_000 },
    { name: 'rodata', filler: 'text', sizeBytes: 40_000 },
  ] as const;
  return [
    { name: 'update_helper.dll', bytes: helper, tags: ['family:ashveil', 'runnable:win64:dll'], tlp: 'AMBER' },
    { name: 'invoice_4471.scr', bytes: invoice, tags: ['family:ashveil', 'runnable:win32:scr'], tlp: 'AMBER' },
    { name: 'libsync.so.2', bytes: linuxFile('sync', true, sync), tags: ['runnable:linux:so'], tlp: 'CLEAR' },
    { name: 'sensorctl', bytes: linuxFile('sensor', false, sensor), tags: ['family:brassmoth'], tlp: 'CLEAR' },
  ];
}

const documents = async (): Promise<TourFile[]> => [
  {
    name: 'QuarterlyBrief.docm',
    bytes: await macroDocument('brief'),
    tags: ['family:quillpost', 'macro'],
    tlp: 'GREEN',
  },
  { name: 'agenda.pdf', bytes: pdfDocument('agenda'), tags: ['family:tinlark'], tlp: 'GREEN' },
  { name: 'setup-agent.msi', bytes: installer('agent'), tags: ['family:marrowfox'], tlp: 'AMBER+STRICT' },
  { name: 'notice.pdf.lnk', bytes: shortcut('notice'), tags: ['family:quillpost'], tlp: 'GREEN' },
];

const others = (): TourFile[] => [
  {
    name: 'readme.hta',
    bytes: script('<HTA:APPLICATION id="tour">', 'readme', 18_000),
    tags: ['script:hta'],
    tlp: 'GREEN',
  },
  {
    name: '7f_dropper.ps1',
    bytes: script('# A script of the tour: words, and nothing that runs', 'dropper', 12_000),
    tags: ['script:ps1'],
    tlp: 'GREEN',
  },
  { name: 'fontcache.dat', bytes: filled('packed', 'fontcache', 512_000), tags: ['source:triage'], tlp: 'CLEAR' },
  {
    name: 'loader_x64.bin',
    bytes: Buffer.concat([filled('code', 'loader', 3_000), filled('packed', 'loader', 200_000)]),
    tags: ['family:ashveil', 'packed'],
    tlp: 'RED',
  },
];
