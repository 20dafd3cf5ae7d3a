import type { OperationName } from '../shared/contract.ts';

/** They answer from the open database and from memory alone: that goes on without the data directory, and nothing is lost by it. */
export const readingOperations: ReadonlySet<OperationName> = new Set<OperationName>([
  'settings.read', 'workspaces.list', 'samples.history', 'samples.hits', 'samples.inVault', 'downloads.list', 'bulk.check', 'jobs.list', 'jobs.items',
  'uploads.draft', 'uploads.files', 'uploads.tags', 'comments.thread', 'comments.draft', 'comments.list', 'publications.state', 'trials.state', 'ruleCosts.state', 'mutes.list', 'scans.plan', 'scans.summary', 'scans.groups', 'scans.file', 'scans.files',
  'library.list', 'library.added', 'library.totals', 'library.sample', 'library.facts', 'library.meant', 'library.suggest', 'library.count', 'views.list', 'journal.list', 'journal.workspaces', 'journal.position', 'journal.verify', 'lab.specimens',
  'diagnostics.save', 'diagnostics.showFolder',
]);
