/**
 * Tests that replace modules, measure memory, or change what a process has only one of: each has a process of its own.
 * The others share theirs and all that was loaded in them.
 */
export const isolatedTests = [
  'electron/cli.test.ts',
  'electron/compose.test.ts',
  'electron/archive/export/export-file-place.test.ts',
  'electron/base/owned-file.test.ts',
  'electron/rules/scanning/scan-session.test.ts',
  'electron/rules/scanning/serve-scans.test.ts',
  'electron/storage/backup/backup-making-leftovers.test.ts',
  'electron/storage/directory/private-files.test.ts',
  'electron/services/storage/backups-count.test.ts',
  'electron/services/watch/folder-walk-archives.test.ts',
  'electron/services/watch/watch-odd-files.test.ts',
  'electron/lab/kept-scanner.test.ts',
  'electron/lab/lab.test.ts',
  'electron/lab/lab-memory.test.ts',
  'electron/lab/shared-bytes.test.ts',
  'electron/windows/background-news.test.ts',
  'electron/windows/quit.test.ts',
  'build/first-load.test.ts',
  'build/packaging.test.ts',
  'build/run.test.ts',
];
