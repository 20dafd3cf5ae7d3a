import type { NewComment, SampleFacts } from './stores/metadata-store.ts';
import { eicar, elf, noise, officeDocument, pdf, png, portableExecutable, shellLink } from './sample-file-bytes.ts';

/** A harmless file the lab is stocked with. Families, threats and people are invented. */
export interface SampleFilePlan extends Omit<SampleFacts, 'restricted' | 'virusTotal' | 'sandbox'> {
  make: () => Buffer;
  /** Of what `make` returns: a lab names them at each start, and makes millions of bytes only to be stocked. */
  md5: string;
  sizeBytes: number;
  comments: NewComment[];
}

/** Raised with every change below: a lab stocked by an older release gets what it lacks. */
export const sampleFileRelease = 1;

const mebibyte = 1024 * 1024;
/** Turns the reading direction of what follows, a trick to make `….exe` look like `….pdf` (Unicode TR 36). */
const rightToLeftOverride = '\u202e';

const comment = (author: string, created: string, content: string, ...replies: NewComment[]): NewComment => ({
  author,
  created,
  content,
  replies,
});

export const sampleFiles: readonly SampleFilePlan[] = [
  {
    name: 'eicar.com',
    make: eicar,
    md5: '44d88612fea8a8f36de82e1278abb02f',
    sizeBytes: 68,
    mime: 'text/plain',
    threat: 'EICAR test file',
    criticity: 3,
    tags: ['tlp:clear', 'runnable:dos:com', 'testfile'],
    uploader: 'mira',
    uploaded: '2025-01-07T08:00:00Z',
    comments: [
      comment(
        'mira',
        '2025-01-07T08:00:00Z',
        'The antivirus test file. Harmless, and every scanner must find it: ' +
          'a good way to see that nothing here lies open on the disk.',
        comment(
          'jonas',
          '2025-01-07T09:12:30Z',
          'Confirmed: our endpoint agent stays silent while it is in the vault.',
          comment('mira', '2025-01-07T09:14:02Z', 'As it should be. It wakes up at once when the export is unpacked.'),
        ),
      ),
    ],
  },
  {
    name: 'invoice_2291.exe',
    make: portableExecutable,
    md5: '46c5d9694b6935ba37406431c1e13d07',
    sizeBytes: 1024,
    mime: 'application/vnd.microsoft.portable-executable',
    threat: 'Glasswing dropper',
    criticity: 1,
    tags: ['family:glasswing', 'tlp:amber', 'runnable:win32:exe'],
    uploader: 'jonas',
    uploaded: '2025-02-11T14:26:41Z',
    comments: [
      comment(
        'jonas',
        '2025-02-11T14:26:41Z',
        'From the phishing wave of 11 February, attachment inside a password ZIP.',
        comment('sofía', '2025-02-11T15:02:19Z', 'Same stub as last week, new icon.'),
        comment(
          'mira',
          '2025-02-12T07:45:00Z',
          'Any network indicators yet?',
          comment(
            'sofía',
            '2025-02-12T08:03:55Z',
            'Only hxxp://updates[.]glasswing[.]example/a, sinkholed since yesterday.',
          ),
        ),
      ),
      comment('amélie', '2025-02-13T10:00:00Z', 'Rule "glasswing_stub" covers it; hunting over the archive tonight.'),
    ],
  },
  {
    name: 'sysupdated',
    make: elf,
    md5: '183e2df8ff4b89cbbc5ca101beedac7a',
    sizeBytes: 4096,
    mime: 'application/x-executable',
    threat: 'Mothlight agent',
    criticity: 1,
    tags: ['family:mothlight', 'tlp:amber+strict', 'runnable:linux:elf64', 'arch:x86_64'],
    uploader: 'sofía',
    uploaded: '2025-03-02T22:10:05Z',
    comments: [
      comment(
        'sofía',
        '2025-03-02T22:10:05Z',
        'Pulled from /usr/lib/.cache on a build host.\nPersistence: systemd user unit.\n\n' +
          '\tExecStart=/usr/lib/.cache/sysupdated --quiet',
      ),
    ],
  },
  {
    name: 'Statement_March.pdf',
    make: pdf,
    md5: '652dc327f28d33a7075fa4d2cfce5f29',
    sizeBytes: 431,
    mime: 'application/pdf',
    threat: null,
    criticity: 3,
    tags: ['tlp:green', 'type:pdf'],
    uploader: 'amélie',
    uploaded: '2025-03-19T11:31:00Z',
    comments: [],
  },
  {
    name: 'Quarterly figures.docx',
    make: officeDocument,
    md5: '3931f955e8f00046237c8fac8317dc49',
    sizeBytes: 548,
    mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    threat: 'Paperwasp lure',
    criticity: 2,
    tags: ['family:paperwasp', 'tlp:green', 'type:office', 'lure:finance'],
    uploader: 'jonas',
    uploaded: '2025-04-08T09:05:12Z',
    comments: [comment('jonas', '2025-04-08T09:05:12Z', 'No macro in this one. The remote template is gone.')],
  },
  {
    name: 'setup-env.ps1',
    make: () =>
      Buffer.from(
        '# Vitrine specimen: a script that says hello and does nothing else.\r\nWrite-Output "hello"\r\n'.repeat(20),
        'latin1',
      ),
    md5: '4bdbfa743803749e63cea9bd1329474b',
    sizeBytes: 1820,
    mime: 'text/x-powershell',
    threat: 'Paperwasp loader',
    criticity: 2,
    tags: ['family:paperwasp', 'tlp:amber', 'runnable:win32:ps1'],
    uploader: 'sofía',
    uploaded: '2025-04-08T09:40:48Z',
    comments: [],
  },
  {
    name: 'Photos.lnk',
    make: shellLink,
    md5: '943a537cac876d0a7077e7b426930fca',
    sizeBytes: 204,
    mime: 'application/x-ms-shortcut',
    threat: null,
    criticity: 2,
    tags: ['tlp:green', 'runnable:win32:lnk'],
    uploader: 'mira',
    uploaded: '2025-05-14T16:20:00Z',
    comments: [],
  },
  {
    name: 'preview.png',
    make: png,
    md5: 'ee76702403cd15dbc71587365494cbe5',
    sizeBytes: 69,
    mime: 'image/png',
    threat: null,
    criticity: 3,
    tags: ['tlp:clear', 'type:image'],
    uploader: 'amélie',
    uploaded: '2025-05-30T07:15:09Z',
    comments: [],
  },
  {
    name: 'stage2.bin',
    make: () => noise('stage2', 1 * mebibyte + 17),
    md5: '634774db23dd9fc359d5d25dcb8a237a',
    sizeBytes: 1_048_593,
    mime: 'application/octet-stream',
    threat: 'Glasswing payload, packed',
    criticity: 1,
    tags: ['family:glasswing', 'tlp:red', 'entropy:high', 'packed'],
    uploader: 'jonas',
    uploaded: '2025-06-21T03:59:59Z',
    comments: [comment('jonas', '2025-06-21T03:59:59Z', 'TLP:RED, do not let this leave the team.')],
  },
  {
    name: 'memory-0x7ffd0000.dmp',
    make: () => noise('memory', 4 * mebibyte),
    md5: '241277278c03ff3ceeca06fe20aa8049',
    sizeBytes: 4_194_304,
    mime: 'application/octet-stream',
    threat: null,
    criticity: 3,
    tags: ['tlp:amber', 'type:memory', 'entropy:high'],
    uploader: 'sofía',
    uploaded: '2025-07-01T12:00:00Z',
    comments: [],
  },
  {
    name: 'one-byte',
    make: () => Buffer.from('\n'),
    md5: '68b329da9893e34099c7d8ad5cb9c940',
    sizeBytes: 1,
    mime: 'text/plain',
    threat: null,
    criticity: 3,
    tags: [],
    uploader: 'mira',
    uploaded: '2025-08-09T10:10:10Z',
    comments: [],
  },
  {
    name: `отчёт-報告-תקציר-${rightToLeftOverride}fdp.exe`,
    make: () => noise('right to left', 48 * 1024),
    md5: '4f42ac445c3000ea69c1223b73c9f604',
    sizeBytes: 49_152,
    mime: 'application/octet-stream',
    threat: 'Mothlight, disguised name',
    criticity: 1,
    tags: ['family:mothlight', 'tlp:amber', 'name:deceptive'],
    uploader: 'amélie',
    uploaded: '2025-09-17T18:44:27Z',
    comments: [
      comment('amélie', '2025-09-17T18:44:27Z', 'The name holds U+202E: shown carelessly it seems to end in ".pdf".'),
    ],
  },
  {
    name: `${'a-name-that-is-far-too-long-'.repeat(11).slice(0, 296)}.bin`,
    make: () => noise('long name', 200 * 1024),
    md5: 'c5622c92d89e0fe0846caba2184e4f62',
    sizeBytes: 204_800,
    mime: 'application/octet-stream',
    threat: null,
    criticity: 3,
    tags: ['tlp:clear', 'name:long'],
    uploader: 'mira',
    uploaded: '2025-10-03T06:30:00Z',
    comments: [],
  },
  {
    name: 'newsletter.html',
    make: () =>
      Buffer.from(
        '<!doctype html>\n<title>Vitrine specimen</title>\n' +
          '<p>A page of text with <b>markup</b> and nothing that acts.</p>\n',
      ),
    md5: '537c2b5ee94e9d2af13e2468392634eb',
    sizeBytes: 112,
    mime: 'text/html',
    threat: null,
    criticity: 2,
    tags: ['tlp:green', 'type:html'],
    uploader: 'jonas',
    uploaded: '2025-10-28T13:13:13Z',
    comments: [
      comment(
        'jonas',
        '2025-10-28T13:13:13Z',
        'The page tried: <script>alert(document.domain)</script><img src=x onerror="alert(1)"> & friends. ' +
          'Here it is text.',
        comment(
          '<b>not a bold author</b>',
          '2025-10-28T13:20:00Z',
          '"><a href="javascript:alert(1)">click</a> =HYPERLINK("http://example.test") {{7*7}} %00',
        ),
      ),
    ],
  },
];
