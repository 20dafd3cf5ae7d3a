const many = (count: number): string => count.toLocaleString('en');

/** English of the records of samples that came without theirs. */
export const text = {
  missing: (count: number) =>
    count === 1 ? '1 sample came without its record' : `${many(count)} samples came without their records`,
  missingSome: 'Samples may have come without their records',
  missingThen: 'Their names, tags, threats and TLP are not known here.',
  ask: (workspace: string) => `Ask ${workspace} for their records`,
  progress: (done: number, items: number) => `${many(done)} of ${many(items)} asked for`,
  waits: 'They are asked for as soon as it is their turn',
} as const;
