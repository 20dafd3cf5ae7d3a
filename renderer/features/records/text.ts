const many = (count: number): string => count.toLocaleString('en');

/** English of samples without metadata. */
export const text = {
  missing: (count: number) => (count === 1 ? '1 sample has no metadata' : `${many(count)} samples have no metadata`),
  missingSome: 'Some samples may have no metadata',
  missingThen: 'Their names, tags, threats and TLP are unknown.',
  ask: (workspace: string) => `Fetch metadata from ${workspace}`,
  progress: (done: number, items: number) => `${many(done)} of ${many(items)} done`,
  waits: 'Waiting',
} as const;
