const files = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);
const samples = (count: number): string => (count === 1 ? '1 sample' : `${count.toLocaleString('en')} samples`);

/** English of jobs, wherever they are shown. */
export const text = {
  kinds: {
    'bulk-download': 'Bulk download',
    export: 'Export',
    upload: 'Upload',
    scan: 'Scan',
    hunt: 'Hunt',
    'vault-check': 'Vault check',
    'library-add': 'Adding files',
    'library-change': 'Change of samples',
    'library-forget': 'Forgetting',
    'library-records': 'Reading of records',
    'case-export': 'Case export',
    bundle: 'Bundle',
    'bundle-import': 'Bundle taken in',
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
  ends: {
    'bulk-download': {
      whole: (items: number, done: string, here: string) => {
        if (done === '0')
          return items === 1 ? '1 sample was in the vault already' : `${samples(items)} were in the vault already`;
        return here === '0'
          ? `${samples(items)} fetched and verified`
          : `${samples(items)} in the vault: ${done} fetched, ${here} already here`;
      },
      part: (missing: string, items: string) => `${missing} of ${items} not fetched`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} in the vault`,
    },
    export: {
      whole: (items: number) => `${samples(items)} exported`,
      part: (missing: string, items: string) => `${missing} of ${items} not exported`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} exported`,
    },
    upload: {
      whole: (items: number, done: string, here: string) => {
        if (done === '0') return items === 1 ? '1 sample was there already' : `${samples(items)} were there already`;
        return here === '0'
          ? `${samples(items)} stored and confirmed`
          : `${samples(items)} at the repository: ${done} stored, ${here} already there`;
      },
      part: (missing: string, items: string) => `${missing} of ${items} not stored`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} at the repository`,
    },
    scan: {
      whole: (items: number) => `${files(items)} scanned`,
      part: (missing: string, items: string) => `${missing} of ${items} not scanned`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} scanned`,
    },
    hunt: {
      whole: (items: number) => `${samples(items)} hunted`,
      part: (missing: string, items: string) => `${missing} of ${items} not hunted`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} hunted`,
    },
    'vault-check': {
      whole: (items: number) => (items === 1 ? '1 sample checked, sound' : `${samples(items)} checked, all sound`),
      part: (missing: string, items: string) => `${missing} of ${items} not sound`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} checked and sound`,
    },
    'library-add': {
      whole: (items: number, done: string, here: string) => {
        if (done === '0')
          return items === 1 ? '1 file was in the vault already' : `${files(items)} were in the vault already`;
        return here === '0' ? `${files(items)} added` : `${files(items)} added, ${here} of them already in the vault`;
      },
      part: (missing: string, items: string) => `${missing} of ${items} not added`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} added`,
    },
    'library-change': {
      whole: (items: number, done: string, here: string) => {
        if (done === '0')
          return items === 1 ? '1 sample was like that already' : `${samples(items)} were like that already`;
        return here === '0'
          ? `${samples(items)} changed`
          : `${samples(items)}: ${done} changed, ${here} like that already`;
      },
      part: (missing: string, items: string) => `${missing} of ${items} left as they were`,
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
    'library-records': {
      whole: (items: number, done: string, here: string) =>
        here === '0'
          ? `Records of ${samples(items)} read`
          : `Records of ${samples(items)}: ${done} read, ${here} here already`,
      part: (missing: string, items: string) => `${missing} of ${items} still without their record`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} records here`,
    },
    'case-export': {
      whole: (items: number) => `${samples(items)} in the case`,
      part: (missing: string, items: string) => `${missing} of ${items} left out, or without their bytes`,
      cancelled: () => 'Cancelled; nothing was written',
    },
    bundle: {
      whole: (items: number) => `${samples(items)} sealed and signed`,
      part: (missing: string, items: string) => `${missing} of ${items} not whole in it`,
      cancelled: () => 'Cancelled; nothing was written',
    },
    'bundle-import': {
      whole: (items: number, done: string, here: string) =>
        here === '0' ? `${samples(items)} taken in` : `${samples(items)}: ${done} taken in, ${here} as they were`,
      part: (missing: string, items: string) => `${missing} of ${items} not taken in`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} taken in`,
    },
    backup: {
      whole: (items: number, done: string, here: string) =>
        here === '0' ? `${files(items)} copied` : `${files(items)}: ${done} copied, ${here} there already`,
      part: (missing: string, items: string) => `${missing} of ${items} not copied`,
      cancelled: (there: string, items: string) => `Cancelled with ${there} of ${items} copied`,
    },
  },
  news: (id: number, sentence: string) => `Job ${id} ended: ${sentence}`,
  haltedNews: (id: number, what: string) => `Job ${id} halted: ${what}`,
  filter: 'Show by outcome',
  all: 'all',
  underWay: 'under way',
  waitingOf: (count: number) => `${count.toLocaleString('en')} waiting`,
  progress: (settled: string, items: string) => ({ numbers: `${settled} of ${items}`, words: 'have an outcome' }),
  progressLabel: 'Items with an outcome',
  rate: (size: string) => `${size}/s`,
  left: (time: string) => `${time} left`,
  now: 'now',
  throughput: {
    label: 'Throughput',
    alternative: (now: string, most: string, from: string, to: string, end: string | null) =>
      `Throughput: now ${now}/s, at most ${most}/s, from ${from}Z to ${to}Z${end === null ? '' : `, expected to end at ${end}Z`}`,
  },
} as const;
