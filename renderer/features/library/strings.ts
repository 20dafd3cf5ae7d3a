const many = (count: number): string => count.toLocaleString('en');
const samples = (count: number): string => (count === 1 ? '1 sample' : `${many(count)} samples`);

/** English of the library outside of its view. */
export const text = {
  savedViews: 'Saved views',
  unreadable: 'invalid query',
  unreadableShort: '–',
  samples,
  valueMenu: (value: string) => `Actions for ${value}`,
  searchLibrary: 'Search the library',
  searchAt: (workspace: string) => `Search at ${workspace}`,
  copyValue: (value: string) => `Copy “${value}”`,
  copiedValue: (value: string) => `Copied: ${value}`,
  notCopied: 'Not copied: the browser refused the clipboard. Select the text instead.',
  exclude: 'Exclude from the search',
  more: (name: string) => `More actions for ${name}`,
  menu: (name: string) => `Saved view ${name}`,
  rename: 'Rename…',
  up: 'Move up',
  down: 'Move down',
  remove: 'Remove',
  notRenamed: (name: string, why: string) => `${name} was not renamed: ${why}`,
  renameTitle: (name: string) => `Rename “${name}”`,
  name: 'Name',
  nameMissing: 'Enter a name',
  nameTaken: 'Another view has this name',
  cancel: 'Cancel',
  moved: (name: string, place: number, count: number) => `${name}, ${place} of ${count}`,
  removed: (name: string) => `Saved view ${name} removed`,
  notBack: (name: string) => (why: string) => `${name} was not restored: ${why}`,
  backAtEnd: (name: string) => (why: string) => `${name} was restored at the end of the list: ${why}`,
  failed: (why: string) => `The saved view was not changed: ${why}`,

  tagLabel: (count: number) => (count === 1 ? 'Local tags' : `Local tags for ${samples(count)}`),
  tagHint: 'Local tags are never sent.',
  tagged: (tag: string, count: number) => `${tag} added to ${samples(count)}`,
  untagged: (tag: string, count: number) => `${tag} removed from ${samples(count)}`,
  hadAlready: (tag: string) => `No change: ${tag} was already set`,
  hadNot: (tag: string) => `No change: ${tag} was not a local tag`,
  doneByJob: (id: number) => `Started job ${id} for all samples found now. Follow it in Activity`,
  leftOut: (count: number) => `${samples(count)} skipped: SHA-256 unknown`,
  unchanged: (count: number, why: string) => `${samples(count)} unchanged: ${why}`,
  manySentence: 'The local data of each of them is changed in a job. So many samples cannot be undone at once.',
  manyTag: (tag: string) => ({
    title: (count: number) => `Add ${tag} to ${samples(count)}?`,
    verb: (count: number) => `Tag ${samples(count)}`,
  }),
  manyUntag: (tag: string) => ({
    title: (count: number) => `Remove ${tag} from ${samples(count)}?`,
    verb: (count: number) => `Untag ${samples(count)}`,
  }),
  hadTag: 'tag already set',
  lackedTag: 'tag was not set',
  undoneFewer: (undone: number, done: number) =>
    undone === 0
      ? `Not undone: ${done === 1 ? 'the sample has' : 'the samples have'} changed since`
      : `Undone for ${many(undone)} of ${samples(done)}: the others have changed since`,
  notUndone: (why: string) => `Not undone: ${why}`,
  notDone: (why: string) => `Not done: ${why}`,
  noUndo: 'Too many samples to undo',
  show: 'Show',
} as const;
