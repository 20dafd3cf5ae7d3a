const files = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);
const samples = (count: number): string => (count === 1 ? '1 sample' : `${count.toLocaleString('en')} samples`);
const rules = (count: number): string => (count === 1 ? '1 rule' : `${count.toLocaleString('en')} rules`);

/** English of the head of the scan. */
export const text = {
  title: 'Scan',
  files,
  hunt: (count: number) => `Hunt, ${samples(count)}`,
  of: (settled: string, items: string) => `${settled} of ${items}`,
  left: (time: string) => `${time} left`,
  ended: (time: string) => `ended ${time}`,
  bytes: (count: string) => `${count} bytes`,
  byRules: (count: number, version: string | null) =>
    version === null ? rules(count) : `${rules(count)} from ${version}`,
  byPackage: (version: string) => `package ${version}`,
  newScan: 'New scan',
} as const;
