const rules = (count: number): string => (count === 1 ? '1 rule' : `${count.toLocaleString('en')} rules`);

/** English of the list of earlier scans and hunts. */
export const text = {
  title: 'Earlier scans',
  list: 'Earlier scans and hunts',
  column: 'Scan',
  scan: 'Scan',
  hunt: 'Hunt',
  files: (count: number) => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`),
  samples: (count: number) => (count === 1 ? '1 sample' : `${count.toLocaleString('en')} samples`),
  byRules: (count: number) => `with ${rules(count)}`,
  none: 'No scans or hunts in this workspace yet.',
  hits: (count: number) => (count === 1 ? '1 with hits' : `${count.toLocaleString('en')} with hits`),
  added: (count: number) => (count === 1 ? '1 new hit' : `${count.toLocaleString('en')} new hits`),
  nothing: 'nothing scanned',
  trouble: (count: number) => `${count.toLocaleString('en')} not scanned`,
  progress: (settled: string, items: string) => `${settled} of ${items}`,
  open: 'Open',
} as const;
