import type { Commands } from './command.ts';

/**
 * Every command of `vitrine`, in the order in which `--help` lists them. A command is loaded only when it runs, because
 * most of them import a lot.
 */
export const commands: Commands = {
  lookup: {
    group: 'SAMPLES',
    summary: 'look up hashes in the repository',
    load: async () => (await import('./commands/lookup.ts')).lookup,
  },
  search: {
    group: 'SAMPLES',
    summary: 'search the repository, where it can be searched',
    load: async () => (await import('./commands/search.ts')).search,
  },
  download: {
    group: 'SAMPLES',
    summary: 'download samples to the vault or a folder',
    load: async () => (await import('./commands/download.ts')).download,
  },
  upload: {
    group: 'SAMPLES',
    summary: 'send files to the repository',
    load: async () => (await import('./commands/upload.ts')).upload,
  },
  comment: {
    group: 'SAMPLES',
    summary: 'comment on a sample, or list its comments',
    load: async () => (await import('./commands/comment.ts')).comment,
  },
  library: {
    group: 'SAMPLES',
    summary: 'search, count and tag local samples, or add files',
    takesQuery: true,
    load: async () => (await import('./commands/library.ts')).library,
  },
  hashes: {
    group: 'SAMPLES',
    summary: 'extract MD5, SHA-1 and SHA-256 from text',
    load: async () => (await import('./commands/hashes.ts')).hashes,
  },
  scan: {
    group: 'RULES',
    summary: 'scan files or samples with YARA rules',
    load: async () => (await import('./commands/scan.ts')).scan,
  },
  hunt: {
    group: 'RULES',
    summary: 're-scan the vault with new or changed rules',
    load: async () => (await import('./commands/hunt.ts')).hunt,
  },
  rules: {
    group: 'RULES',
    summary: 'check, install, compare and search rule packages',
    load: async () => (await import('./commands/rules.ts')).rules,
  },
  case: {
    group: 'SHARE',
    summary: 'export samples as MISP, STIX, CSV, JSON or a report',
    takesQuery: true,
    load: async () => (await import('./commands/case.ts')).caseCommand,
  },
  bundle: {
    group: 'SHARE',
    summary: 'carry samples across an air gap in one signed file',
    takesQuery: true,
    load: async () => (await import('./commands/bundle.ts')).bundle,
  },
  journal: {
    group: 'DATA',
    summary: 'list, verify and export the journal',
    load: async () => (await import('./commands/journal.ts')).journal,
  },
  backup: {
    group: 'DATA',
    summary: 'back up all local data to a folder',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  restore: {
    group: 'DATA',
    summary: 'restore a backup to a new data directory',
    load: async () => (await import('./commands/backup.ts')).restore,
  },
  diagnostics: {
    group: 'DATA',
    summary: 'save a ZIP for a bug report',
    load: async () => (await import('./commands/diagnostics.ts')).diagnostics,
  },
  workspace: {
    group: 'SETUP',
    summary: 'manage workspaces, their addresses and tokens',
    load: async () => (await import('./commands/workspace.ts')).workspace,
  },
  watch: {
    group: 'SETUP',
    summary: 'scan new files in a folder and draft their upload',
    load: async () => (await import('./commands/watch.ts')).watch,
  },
  lab: {
    group: 'SETUP',
    summary: 'show the built-in lab and its sample files',
    load: async () => (await import('./commands/lab.ts')).lab,
  },
  completion: {
    group: 'SETUP',
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  help: {
    group: 'SETUP',
    summary: 'show the help of a command',
    load: async () => (await import('./commands/help.ts')).help,
  },
};
