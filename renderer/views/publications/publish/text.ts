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
  addFiles: 'Add files',
  addFolder: 'Add a folder',
  remove: (path: string) => `Remove ${path}`,
  removeAll: 'Remove all',
  taking: 'Reading files',
  dropHere: 'Drop to add to the publication',
  refused: (count: number) => `${files(count)} could not be read`,
  leftOut: (count: number) => `${files(count)} left out`,
  leftOutThen:
    'A publication holds .yar, .yara, .rule and .rules files, at most 1,000, with paths of at most 300 characters.',
  emptyTitle: 'Nothing to publish yet',
  emptySentence:
    'Add rule files or drop them here. All rules are compiled first: with a broken one nothing is published.',
  brokenTitle: (count: number) =>
    `Nothing was published: ${count === 1 ? '1 rule is' : `${number(count)} rules are`} broken`,
  brokenAt: (file: string, line: number) => `${file}, line ${number(line)}`,
  brokenRest: (count: number) => `and ${number(count)} more`,
  brokenThen: 'Mend the files and add them again: each takes the place of the one with its path.',
  publishedTitle: (version: string, group: string) => `${version} is published as ${group}`,
  publishedThen: (fileCount: number, ruleCount: number) =>
    `${files(fileCount)}, ${rules(ruleCount)}. A check in this workspace finds it.`,
  publishedUnseen: (fileCount: number, ruleCount: number) =>
    `${files(fileCount)}, ${rules(ruleCount)}. This workspace does not look for Test publications: switch that on among the updates to find it.`,
  check: 'Check now',
  list: 'Published by the lab',
  none: 'The lab has published nothing yet.',
  contents: (fileCount: number, ruleCount: number) => `${files(fileCount)}, ${rules(ruleCount)}`,
} as const;
