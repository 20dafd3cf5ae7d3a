const files = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);
const withHits = (count: number): string => (count === 1 ? '1 has hits' : `${count.toLocaleString('en')} have hits`);

/** English of the watched folder, wherever it is spoken of. */
export const text = {
  found: (count: number, hits: number) => `${files(count)} came into the watched folder${hits === 0 ? '' : `; ${withHits(hits)}`}`,
  openUpload: 'Open Upload',
  show: 'Show',
} as const;
