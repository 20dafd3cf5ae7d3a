const number = (count: number): string => count.toLocaleString('en');
const files = (count: number): string => (count === 1 ? '1 file' : `${number(count)} files`);
const rules = (count: number): string => (count === 1 ? '1 rule' : `${number(count)} rules`);

/** English of publishing in the lab. */
export const text = {
  compose: 'New publication',
  version: 'Version',
  versionProblem: 'Letters, digits, ".", "-", "_" and "+", at most 64',
  group: 'Group',
  groups: { Release: 'Release', Test: 'Test' },
  publish: 'Publish',
  publishing: 'Compiling',
  files: (count: number, size: string) => `${files(count)}, ${size}`,
  fileList: 'Files to publish',
  addFiles: 'Add files…',
  addFolder: 'Add folder…',
  remove: (path: string) => `Remove ${path}`,
  removeAll: 'Remove all',
  taking: 'Reading files',
  dropHere: 'Drop to add to the publication',
  refused: (count: number) => `${files(count)} could not be read`,
  leftOut: (count: number) => `${files(count)} skipped`,
  leftOutThen:
    'Publications accept .yar, .yara, .rule and .rules files: up to 1,000, with paths of up to 300 characters.',
  emptyTitle: 'Nothing to publish yet',
  emptySentence: 'Add rule files or drop them here. All rules must compile before they are published.',
  brokenTitle: (count: number) =>
    `Nothing was published: ${count === 1 ? '1 rule is' : `${number(count)} rules are`} broken`,
  brokenAt: (file: string, line: number) => `${file}, line ${number(line)}`,
  brokenRest: (count: number) => `and ${number(count)} more`,
  brokenThen: 'Fix the files and add them again. Each replaces the file with the same path.',
  publishedTitle: (version: string, group: string) => `${version} published as ${group}`,
  publishedThen: (fileCount: number, ruleCount: number) =>
    `${files(fileCount)}, ${rules(ruleCount)}. Check now to fetch it.`,
  publishedUnseen: (fileCount: number, ruleCount: number) =>
    `${files(fileCount)}, ${rules(ruleCount)}. ` +
    'This workspace ignores Test publications. Select “Include Test” under Updates to fetch it.',
  check: 'Check now',
  list: 'Published by the lab',
  none: 'Nothing published yet.',
  contents: (fileCount: number, ruleCount: number) => `${files(fileCount)}, ${rules(ruleCount)}`,
} as const;
