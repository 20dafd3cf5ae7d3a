const files = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);

function withHits(count: number, hits: number): string {
  if (count === 1) return 'A file that came into the watched folder has hits';
  return `${hits.toLocaleString('en')} of ${files(count)} that came into the watched folder ${hits === 1 ? 'has' : 'have'} hits`;
}

/** English of the watched folder, wherever it is spoken of. */
export const text = {
  found: (count: number, hits: number) =>
    hits === 0 ? `${files(count)} came into the watched folder` : withHits(count, hits),
  showHits: 'Show the hits',
  openActivity: 'Open Activity',
  openUpload: 'Open Upload',
  show: 'Show',
} as const;
