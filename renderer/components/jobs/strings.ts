const files = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);
const samples = (count: number): string => (count === 1 ? '1 sample' : `${count.toLocaleString('en')} samples`);
const copies = (count: number): string => (count === 1 ? '1 copy' : `${count.toLocaleString('en')} copies`);

/** English of jobs, wherever they are shown. */
export const text = {
  kinds: {
    'bulk-download': 'Bulk download',
    triage: 'Look-up of many',
    export: 'Export',
    upload: 'Upload',
    scan: 'Scan',
    hunt: 'Hunt',
    'vault-check': 'Vault check',
    'library-add': 'Add files',
    'library-change': 'Change samples',
    'library-forget': 'Forget samples',
    'library-forget-copies': 'Remove vault copies',
    'library-records': 'Fetch metadata',
    'case-export': 'Case export',
    bundle: 'Bundle export',
    'bundle-import': 'Bundle import',
    backup: 'Backup',
  },
  states: {
    draft: 'Draft',
    waiting: 'Waiting',
    running: 'Running',
    paused: 'Paused',
    done: 'Ended',
    cancelled: 'Cancelled',
  },
  steps: { compiling: 'Compiling rules' },
  halted: 'Halted',
  asleep: (time: string) => `Waiting until ${time}`,
  ends: {
    'bulk-download': {
      whole: (items: number, done: string, here: string) => {
        if (done === '0')
          return items === 1 ? '1 sample was already in the vault' : `${samples(items)} were already in the vault`;
        return here === '0'
          ? `${samples(items)} downloaded and verified`
          : `${samples(items)} in the vault: ${done} downloaded, ${here} already here`;
      },
      part: (missing: string, items: string) => `${missing} of ${items} not downloaded`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} in the vault`,
    },
    triage: {
      whole: (items: number, done: string, here: string) =>
        here === '0'
          ? `Metadata of ${samples(items)} fetched`
          : `${samples(items)}: metadata of ${done} fetched, ${here} already known`,
      part: (missing: string, items: string) => `${missing} of ${items} without metadata`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} looked up`,
    },
    export: {
      whole: (items: number) => `${samples(items)} exported`,
      part: (missing: string, items: string) => `${missing} of ${items} not exported`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} exported`,
    },
    upload: {
      whole: (items: number, done: string, here: string) => {
        if (done === '0')
          return items === 1
            ? '1 sample was already in the repository'
            : `${samples(items)} were already in the repository`;
        return here === '0'
          ? `${samples(items)} stored`
          : `${samples(items)} in the repository: ${done} stored, ${here} already there`;
      },
      part: (missing: string, items: string) => `${missing} of ${items} not stored`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} in the repository`,
    },
    scan: {
      whole: (items: number) => `${files(items)} scanned`,
      part: (missing: string, items: string) => `${missing} of ${items} not scanned`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} scanned`,
    },
    hunt: {
      whole: (items: number) => `${samples(items)} scanned`,
      part: (missing: string, items: string) => `${missing} of ${items} not scanned`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} scanned`,
    },
    'vault-check': {
      whole: (items: number) => (items === 1 ? '1 sample checked, intact' : `${samples(items)} checked, all intact`),
      part: (missing: string, items: string) => `${missing} of ${items} not intact`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} checked and intact`,
    },
    'library-add': {
      whole: (items: number, done: string, here: string) => {
        if (done === '0')
          return items === 1 ? '1 file was already in the vault' : `${files(items)} were already in the vault`;
        return here === '0' ? `${files(items)} added` : `${files(items)}: ${done} added, ${here} already in the vault`;
      },
      part: (missing: string, items: string) => `${missing} of ${items} not added`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} added`,
    },
    'library-change': {
      whole: (items: number, done: string, here: string) => {
        if (done === '0') return `${samples(items)} unchanged`;
        return here === '0' ? `${samples(items)} changed` : `${samples(items)}: ${done} changed, ${here} unchanged`;
      },
      part: (missing: string, items: string) => `${missing} of ${items} not changed`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} done`,
    },
    'library-forget': {
      whole: (items: number, done: string, here: string) =>
        here === '0'
          ? `${samples(items)} forgotten`
          : `${samples(items)}: ${done} forgotten, ${here} had nothing to forget`,
      part: (missing: string, items: string) => `${missing} of ${items} not forgotten`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} forgotten`,
    },
    'library-forget-copies': {
      whole: (items: number, done: string, here: string) =>
        here === '0'
          ? `${copies(items)} in the vault removed`
          : `${samples(items)}: ${done} vault copies removed, ${here} had none`,
      part: (missing: string, items: string) => `${missing} of ${items} vault copies not removed`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} vault copies removed`,
    },
    'library-records': {
      whole: (items: number, done: string, here: string) =>
        here === '0'
          ? `Metadata of ${samples(items)} fetched`
          : `Metadata of ${samples(items)}: ${done} fetched, ${here} already known`,
      part: (missing: string, items: string) => `${missing} of ${items} still without metadata`,
      cancelled: (there: string, items: string) => `Cancelled with the metadata of ${there} of ${items} fetched`,
    },
    'case-export': {
      whole: (items: number) => `${samples(items)} in the case`,
      part: (missing: string, items: string) => `${missing} of ${items} skipped or without sample file`,
      cancelled: () => 'Cancelled; nothing was written',
    },
    bundle: {
      whole: (items: number) => `${samples(items)} sealed and signed`,
      part: (missing: string, items: string) => `${missing} of ${items} incomplete`,
      cancelled: () => 'Cancelled; nothing was written',
    },
    'bundle-import': {
      whole: (items: number, done: string, here: string) =>
        here === '0' ? `${samples(items)} imported` : `${samples(items)}: ${done} imported, ${here} unchanged`,
      part: (missing: string, items: string) => `${missing} of ${items} not imported`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} imported`,
    },
    backup: {
      whole: (items: number, done: string, here: string) =>
        here === '0' ? `${files(items)} copied` : `${files(items)}: ${done} copied, ${here} already there`,
      part: (missing: string, items: string) => `${missing} of ${items} not copied`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} copied`,
    },
  },
  news: (id: number, sentence: string) => `Job ${id} ended: ${sentence}`,
  haltedNews: (id: number, what: string) => `Job ${id} halted: ${what}`,
  filter: 'Filter by status',
  all: 'all',
  underWay: 'in progress',
  waitingOf: (count: number) => `${count.toLocaleString('en')} waiting`,
  /** Before the items are counted. */
  notCounted: { numbers: 'Preparing', words: '' },
  progress: (settled: string, items: string) => ({ numbers: `${settled} of ${items}`, words: 'done' }),
  progressLabel: 'Items done',
  rate: (size: string) => `${size}/s`,
  left: (time: string) => `${time} left`,
  now: 'now',
  throughput: {
    label: 'Throughput',
    alternative: (now: string, most: string, from: string, to: string, end: string | null) =>
      `Throughput: now ${now}/s, at most ${most}/s, from ${from}Z to ${to}Z` +
      (end === null ? '' : `, expected to end at ${end}Z`),
  },
} as const;
