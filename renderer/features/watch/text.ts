const newFiles = (count: number): string => (count === 1 ? '1 new file' : `${count.toLocaleString('en')} new files`);

function withHits(count: number, hits: number): string {
  if (count === 1) return '1 new file in the watched folder has hits';
  return `${hits.toLocaleString('en')} of ${newFiles(count)} in the watched folder ${hits === 1 ? 'has' : 'have'} hits`;
}

/** English of the watched folder, wherever it is spoken of. */
export const text = {
  found: (count: number, hits: number) =>
    hits === 0 ? `${newFiles(count)} in the watched folder` : withHits(count, hits),
  showHits: 'Show hits',
  openActivity: 'Open Activity',
  openUpload: 'Open Upload',
  show: 'Show',
} as const;
