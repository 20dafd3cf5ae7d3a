import { join } from 'node:path';
import { isOpenToOthers } from '../base/owned-file.ts';
import { BackupStore } from './backup/backup-store.ts';
import { BundleStore } from './bundles/bundle-store.ts';
import { CommentReader } from './comments/comment-reader.ts';
import { CommentStore } from './comments/comment-store.ts';
import { type Database, lockFileName, openDatabase } from './database/database.ts';
import { AdditionStore } from './jobs/addition-store.ts';
import { JobReader } from './jobs/job-reader.ts';
import { SqliteJobStore } from './jobs/job-store.ts';
import { openJournal } from './journal/journal-opening.ts';
import { JournalReader } from './journal/journal-reader.ts';
import type { Journal } from './journal/journal.ts';
import { LibraryChangeStore } from './library/library-change-store.ts';
import { IndexUpkeep } from './library/library-index.ts';
import { LibraryReader } from './library/library-reader.ts';
import { LibraryStore } from './library/library-store.ts';
import { SavedViewStore } from './library/saved-view-store.ts';
import { TriageStore } from './library/triage-store.ts';
import { SqlitePackIndex, VaultCheckStore } from './library/vault-index.ts';
import { type Log, openLog } from './log/log.ts';
import { PackageStore } from './packages/package-store.ts';
import { RuleCostStore } from './packages/rule-cost-store.ts';
import { ReadingThread } from './reading/reading-thread.ts';
import { MuteStore } from './scans/mute-store.ts';
import { ScanCoverage } from './scans/scan-coverage.ts';
import { ScanReader } from './scans/scan-reader.ts';
import { HuntInputs, ScanStore } from './scans/scan-store.ts';
import { ServerActionStore } from './settings/server-actions.ts';
import { FileNoteStore, SettingsStore } from './settings/settings-store.ts';
import { WorkspaceStore } from './settings/workspace-store.ts';
import type { Keychain } from './tokens/keychain.ts';
import { openTokenStore, type TokenStore } from './tokens/token-store.ts';
import { UploadStore } from './uploads/upload-store.ts';
import { WatchStore } from './uploads/watch-store.ts';

/** Everything durable except sample bytes, opened in the order that lets the lock decide first. */
export interface Stores {
  databasePath: string;
  lockPath: string;
  log: Log;
  tokens: TokenStore;
  journal: Journal;
  settings: SettingsStore;
  fileNotes: FileNoteStore;
  workspaces: WorkspaceStore;
  serverActions: ServerActionStore;
  library: LibraryStore;
  libraryChanges: LibraryChangeStore;
  triages: TriageStore;
  words: IndexUpkeep;
  views: SavedViewStore;
  vaultChecks: VaultCheckStore;
  watch: WatchStore;
  backups: BackupStore;
  bundles: BundleStore;
  comments: CommentStore;
  uploads: UploadStore;
  additions: AdditionStore;
  packs: SqlitePackIndex;
  packages: PackageStore;
  mutes: MuteStore;
  ruleCosts: RuleCostStore;
  jobs: SqliteJobStore;
  scans: ScanStore;
  coverage: ScanCoverage;
  huntInputs: HuntInputs;
  /** These share one thread: closing `jobReader` closes it. */
  jobReader: JobReader;
  scanReader: ScanReader;
  commentReader: CommentReader;
  /** Has a thread of its own: a job that runs is not to wait for a search through a million samples. */
  libraryReader: LibraryReader;
  /** Has a thread of its own, too. */
  journalReader: JournalReader;
  /** Calls `changed` in the turn after rows of the library came, changed or went. To be called once. */
  watchLibrary(changed: () => void): void;
  /** The same of the journal. */
  watchJournal(changed: () => void): void;
  close(): void;
}

/**
 * Fails with `data-in-use`, `data-newer`, `not-writable`, `data-damaged`, `disk-full` or `not-own`; nothing is changed
 * then.
 */
export async function openStores(dataDirectory: string, keychain: Keychain | null): Promise<Stores> {
  const database = openDatabase(dataDirectory);
  const log = openLog(join(dataDirectory, 'logs'));
  if (isOpenToOthers(dataDirectory)) log.write('warn', 'data-open-to-others', {});
  try {
    return await storesOver(database, log, { directory: dataDirectory, keychain });
  } catch (error) {
    log.close();
    database.close();
    throw error;
  }
}

interface TokenPlace {
  directory: string;
  keychain: Keychain | null;
}

async function storesOver(database: Database, log: Log, place: TokenPlace): Promise<Stores> {
  const tokens = await openTokenStore(place);
  const journal = await openJournal(database, tokens, (error) => log.write('warn', 'journal-key', { error }));
  const [reading, libraryReading, journalReading] = [
    new ReadingThread(database.path),
    new ReadingThread(database.path),
    new ReadingThread(database.path),
  ];
  const comments = new CommentStore(database, journal);
  return {
    databasePath: database.path,
    lockPath: join(place.directory, lockFileName),
    log,
    tokens,
    journal,
    settings: new SettingsStore(database),
    fileNotes: new FileNoteStore(database),
    workspaces: new WorkspaceStore(database, journal),
    serverActions: new ServerActionStore(database),
    library: new LibraryStore(database, journal),
    libraryChanges: new LibraryChangeStore(database),
    triages: new TriageStore(database, journal),
    words: new IndexUpkeep(database),
    views: new SavedViewStore(database),
    vaultChecks: new VaultCheckStore(database),
    watch: new WatchStore(database, journal),
    backups: new BackupStore(database, journal),
    bundles: new BundleStore(database, journal),
    comments,
    uploads: new UploadStore(database),
    additions: new AdditionStore(database),
    packs: new SqlitePackIndex(database),
    packages: new PackageStore(database, journal),
    mutes: new MuteStore(database, journal),
    ruleCosts: new RuleCostStore(database),
    jobs: new SqliteJobStore(database),
    scans: new ScanStore(database),
    coverage: new ScanCoverage(database),
    huntInputs: new HuntInputs(database),
    jobReader: new JobReader(reading),
    scanReader: new ScanReader(reading),
    commentReader: new CommentReader(comments, reading),
    libraryReader: new LibraryReader(libraryReading),
    journalReader: new JournalReader(journalReading),
    watchLibrary: (changed) => watchLibrary(database, changed),
    watchJournal: (changed) => watchJournal(database, changed),
    close: () => {
      // No more requests come; a caller that must know that the threads are gone has already waited for that.
      void reading.close();
      void libraryReading.close();
      void journalReading.close();
      database.close();
      log.close();
    },
  };
}

/** Calls `changed` when rows of the library came, changed or went. To be called once. */
export const watchLibrary = (db: Database, changed: () => void): void =>
  watchRows(db, { table: 'sample', changes: ['INSERT', 'UPDATE', 'DELETE'] }, changed);

/** Calls `changed` when rows came to the journal. To be called once. */
const watchJournal = (db: Database, changed: () => void): void =>
  watchRows(db, { table: 'journal', changes: ['INSERT'] }, changed);

/**
 * Calls `changed` for every writer's statement: once in the turn after, when all rows of one write are stored. The
 * triggers belong to this connection and not to the database.
 */
function watchRows(
  db: Database,
  { table, changes }: { table: string; changes: readonly string[] },
  changed: () => void,
): void {
  let isToBeReported = false;
  const report = (): void => {
    isToBeReported = false;
    changed();
  };
  db.sql.function(`${table}_changed`, () => {
    if (!isToBeReported) setImmediate(report);
    isToBeReported = true;
    return null;
  });
  for (const change of changes) {
    db.command(
      `CREATE TEMP TRIGGER ${table}_watch_${change} AFTER ${change} ON main.${table} BEGIN
        SELECT ${table}_changed(); END`,
    ).run();
  }
}
