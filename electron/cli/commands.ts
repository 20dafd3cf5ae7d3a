import type { Command } from './command.ts';

/**
 * Every word behind `vitrine`, in the order of the list that `--help` shows. A command is loaded when it is asked for:
 * most of them need much.
 */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  lookup: async () => (await import('./commands/lookup.ts')).lookup,
  download: async () => (await import('./commands/download.ts')).download,
  hashes: async () => (await import('./commands/hashes.ts')).hashes,
  library: async () => (await import('./commands/library.ts')).library,
  journal: async () => (await import('./commands/journal.ts')).journal,
  workspace: async () => (await import('./commands/workspace.ts')).workspace,
  lab: async () => (await import('./commands/lab.ts')).lab,
  upload: async () => (await import('./commands/upload.ts')).upload,
  comment: async () => (await import('./commands/comment.ts')).comment,
  scan: async () => (await import('./commands/scan.ts')).scan,
  rules: async () => (await import('./commands/rules.ts')).rules,
  hunt: async () => (await import('./commands/hunt.ts')).hunt,
  case: async () => (await import('./commands/case.ts')).caseCommand,
  bundle: async () => (await import('./commands/bundle.ts')).bundle,
  watch: async () => (await import('./commands/watch.ts')).watch,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
  diagnostics: async () => (await import('./commands/diagnostics.ts')).diagnostics,
};
