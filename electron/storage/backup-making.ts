import { lstat, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fail, FailureError, type FailureOf } from '../../shared/failure.ts';
import { syncFolder } from '../disk/move-into-place.ts';
import { removeUnfinished, translateFileError } from './atomic-file.ts';
import { backupRules, databasesIn, type FoundDatabase } from './backup-content.ts';
import { copyDatabase } from './backup-database.ts';
import { backupFileName, type WholeBackup, writeBackupFile } from './backup-file.ts';
import { type BackedUpFile, BackupListWriter, digestsIn, isUnchanged, knownFiles, listNames } from './backup-list.ts';
import { holdBackup } from './backup-lock.ts';
import { BackupObjects, objectPath } from './backup-objects.ts';
import { requireBackupOf } from './backup-place.ts';
import { contentOf, type CopiedFile, digestOf, type FolderContent, openToCopy } from './folder-copy.ts';
import { ExpectedInVault } from './expected-in-vault.ts';
import { putJobsAtRest } from './jobs-at-rest.ts';
import { requireFree } from './move-plan.ts';
import { readSchemaVersion } from './schema-version.ts';

export interface BackupOrder {
  /** The data directory, held by this process. */
  from: string;
  /** A folder that `takeBackupFolder` gave. */
  to: string;
  desk: string;
  /** Of the program. */
  version: string;
}

/** Whoever follows a backup. What it throws ends that, and the earlier one is in force. */
export interface BackupFollower {
  /** What there is to copy, as far as that is known before. */
  planned(size: { files: number; bytes: number }): void;
  read(bytes: number): void;
  file(outcome: 'done' | 'already-here'): void;
  /** A sample that the desk expects in its vault and that is not there, or cannot be read: what an earlier backup has of it stays, if one has any. */
  lost(failure: FailureOf<'backup-kept' | 'backup-missed'>): void;
  /** It is in force from now on. What is left is to remove what nothing needs any more. `missed`: files of samples that are not in it. */
  whole(backup: WholeBackup & { copied: number; missed: number }): void;
}

/** Files came and went each time: something is at work that a backup cannot keep up with. */
const mostPasses = 5;

/**
 * Copies all that a desk keeps, while it is open, into its backup. What is there unchanged is not copied again. Until its end the state
 * before is in force, and nothing of that is touched.
 * Fails with `backup-refused`, `disk-full`, `not-writable`, `disk-failed`, `data-damaged`, `storage-busy`, or with what the follower throws.
 */
export async function makeBackup(order: BackupOrder, follower: BackupFollower): Promise<void> {
  try {
    // Where there is none, nothing is put either.
    await requireBackupOf(order.to, order.desk);
    const lock = holdBackup(order.to);
    try {
      await makeAlone(order, follower);
    } finally {
      lock.release();
    }
  } catch (error) {
    throw translateFileError(error, order.to);
  }
}

async function makeAlone(order: BackupOrder, follower: BackupFollower): Promise<void> {
  await removeUnfinished(join(order.to, backupFileName));
  const { whole } = await requireBackupOf(order.to, order.desk);
  for (let pass = 0; pass < mostPasses; pass++) {
    const made = await new BackupPass(order, follower, whole).run();
    if (made === null) continue;
    await requireInForce(order, whole);
    await writeBackupFile(order.to, { desk: order.desk, whole: made.state });
    follower.whole({ ...made.state, copied: made.copied, missed: made.missed });
    await requireInForce(order, made.state);
    return await sweep(order.to, made);
  }
  fail({ kind: 'storage-busy' });
}

/** On a disk that does not keep locks another copy of this desk may have written since. */
async function requireInForce({ to, desk }: BackupOrder, expected: WholeBackup | null): Promise<void> {
  const { whole } = await requireBackupOf(to, desk);
  if (whole?.list.sha256 !== expected?.list.sha256) fail({ kind: 'storage-busy' });
}

interface MadeState {
  state: WholeBackup;
  copied: number;
  missed: number;
  sha256s: ReadonlySet<string>;
}

async function sweep(folder: string, { state, sha256s }: MadeState): Promise<void> {
  for (const name of await listNames(folder)) if (name !== state.list.name) await rm(join(folder, name), { force: true });
  await new BackupObjects(folder).sweep(sha256s);
}

class BackupPass {
  readonly #order: BackupOrder;
  readonly #follower: BackupFollower;
  readonly #objects: BackupObjects;
  readonly #before: WholeBackup | null;
  readonly #sha256s = new Set<string>();
  readonly #sum = { files: 0, bytes: 0, copied: 0, missed: 0 };
  #known: ReadonlyMap<string, BackedUpFile> = new Map();
  /** Something that the copied database may name was gone before it was copied. */
  #isTorn = false;

  constructor(order: BackupOrder, follower: BackupFollower, before: WholeBackup | null) {
    this.#order = order;
    this.#follower = follower;
    this.#objects = new BackupObjects(order.to);
    this.#before = before;
  }

  /** @returns null when files went meanwhile that the database knew */
  async run(): Promise<MadeState | null> {
    const { from, to } = this.#order;
    await this.#objects.open();
    this.#known = await knownFiles(to, this.#before?.list.name ?? null);
    const before = await contentOf(from, backupRules);
    await this.#plan(before, databasesIn(from));
    const list = await BackupListWriter.open(to);
    try {
      return await this.#copyAll(list, before);
    } finally {
      await list.close();
    }
  }

  async #plan(content: FolderContent, databases: readonly FoundDatabase[]): Promise<void> {
    const files = content.files.filter((file) => !isUnchanged(file, this.#known.get(file.path)));
    const bytes = [...files, ...databases].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    await this.#requireFree({ bytes, files: files.length + databases.length });
    this.#follower.planned({ files: content.files.length + databases.length, bytes });
  }

  /** Bytes that no list names are of a run that was cut off, and make room. Where the list in force is not what was written, nobody knows which these are. */
  async #requireFree(size: Parameters<typeof requireFree>[1]): Promise<void> {
    const { to } = this.#order;
    try {
      await requireFree(to, size);
    } catch (error) {
      if (!(error instanceof FailureError) || error.failure.kind !== 'disk-full' || !(await this.#isListWhole())) throw error;
      await this.#objects.sweep(await digestsIn(to));
      await requireFree(to, size);
    }
  }

  async #isListWhole(): Promise<boolean> {
    return this.#before === null || (await digestOf(join(this.#order.to, this.#before.list.name))) === this.#before.list.sha256;
  }

  /** Databases first: what they name is a file by then, and the files that come after it are only more than they know. */
  async #copyAll(list: BackupListWriter, before: FolderContent): Promise<MadeState | null> {
    const { from, to, version } = this.#order;
    const made = new Date().toISOString();
    const { schema, sha256: database } = await this.#copyDatabases(list);
    const content = await contentOf(from, backupRules);
    const there = new Set(content.files.map(({ path }) => path));
    this.#isTorn = before.files.some(({ path }) => !there.has(path));
    for (const folder of content.folders) await list.add({ folder });
    const expected = database === null ? null : new ExpectedInVault(objectPath(to, database));
    try {
      for (const file of content.files) await this.#copyFile(list, file, expected);
      await this.#keepLost(list, content, expected);
    } finally {
      expected?.close();
    }
    if (this.#isTorn) return null;
    await this.#objects.sync();
    const sha256 = await list.finish();
    await syncFolder(to);
    const { files, bytes, copied, missed } = this.#sum;
    return { state: { made, version, schema, list: { name: list.name, sha256 }, files, bytes }, copied, missed, sha256s: this.#sha256s };
  }

  /** @returns the schema version of the desk's own, and where that lies */
  async #copyDatabases(list: BackupListWriter): Promise<{ schema: number; sha256: string | null }> {
    const own: { schema: number; sha256: string | null } = { schema: 0, sha256: null };
    for (const { path } of databasesIn(this.#order.from)) {
      const copy = this.#objects.newPath();
      await copyDatabase(join(this.#order.from, path), copy, (bytes) => this.#follower.read(bytes));
      if (path === 'vitrine.db') {
        // Also who puts it back by hand has not two desks at the same work.
        putJobsAtRest(copy);
        own.schema = readSchemaVersion(copy);
      }
      const { sha256, sizeBytes, isNew } = await this.#objects.keep(copy, { sha256: await digestOf(copy), sizeBytes: (await lstat(copy)).size });
      if (path === 'vitrine.db') own.sha256 = sha256;
      await this.#note(list, { path, sizeBytes, changedMs: null, sha256 }, isNew);
    }
    return own;
  }

  async #copyFile(list: BackupListWriter, file: CopiedFile, expected: ExpectedInVault | null): Promise<void> {
    const known = this.#known.get(file.path);
    if (isUnchanged(file, known) && (await this.#objects.has(known))) return this.#note(list, known, false);
    try {
      await this.#copyBytes(list, file);
    } catch (error) {
      const isUnreadable = error instanceof FailureError && error.failure.kind === 'disk-failed' && error.failure.path === join(this.#order.from, file.path);
      if (!isUnreadable || (!(await this.#keepEarlier(list, known, expected)) && !this.#pass(file, expected))) throw error;
    }
  }

  /** A sample that is lost keeps no other one from being backed up. @returns false for what is none: without that there is no backup */
  #pass({ path }: CopiedFile, expected: ExpectedInVault | null): boolean {
    const samples = expected?.samplesIn(path) ?? [];
    for (const sha256 of samples) this.#follower.lost({ kind: 'backup-missed', sha256 });
    this.#sum.missed += Math.min(1, samples.length);
    return samples.length > 0;
  }

  /** A vault that lost samples, or was put there anew, takes none from the backup: forgetting does. */
  async #keepLost(list: BackupListWriter, { folders, files }: FolderContent, expected: ExpectedInVault | null): Promise<void> {
    const there = new Set([...folders, ...files.map(({ path }) => path)]);
    for (const known of this.#known.values()) {
      if (there.has(known.path) || expected === null || expected.samplesIn(known.path).length === 0 || !(await this.#objects.has(known))) continue;
      for (const folder of foldersOf(known.path)) {
        if (!there.has(folder)) await list.add({ folder });
        there.add(folder);
      }
      await this.#keepEarlier(list, known, expected);
    }
  }

  /** @returns whether there was something to keep */
  async #keepEarlier(list: BackupListWriter, known: BackedUpFile | undefined, expected: ExpectedInVault | null): Promise<boolean> {
    const samples = known === undefined ? [] : (expected?.samplesIn(known.path) ?? []);
    if (known === undefined || samples.length === 0 || !(await this.#objects.has(known))) return false;
    for (const sha256 of samples) this.#follower.lost({ kind: 'backup-kept', sha256 });
    await this.#note(list, known, false);
    return true;
  }

  async #copyBytes(list: BackupListWriter, file: CopiedFile): Promise<void> {
    const source = await openToCopy(this.#order.from, file.path, backupRules);
    if (source === null) {
      this.#isTorn = true;
      return;
    }
    // What is appended meanwhile, to a pack, the copied database does not know.
    const { sha256, sizeBytes, isNew } = await this.#objects.put(source, { from: join(this.#order.from, file.path), atMostBytes: file.sizeBytes, onBytes: (bytes) => this.#follower.read(bytes) });
    await this.#note(list, { ...file, sizeBytes, sha256 }, isNew);
  }

  async #note(list: BackupListWriter, file: BackedUpFile, isNew: boolean): Promise<void> {
    this.#sha256s.add(file.sha256);
    this.#sum.files += 1;
    this.#sum.bytes += file.sizeBytes;
    if (isNew) this.#sum.copied += 1;
    await list.add({ path: file.path, sizeBytes: file.sizeBytes, changedMs: file.changedMs, sha256: file.sha256 });
    this.#follower.file(isNew ? 'done' : 'already-here');
  }
}

/** Those that a path lies in, each behind the one it lies in. */
const foldersOf = (path: string): string[] => path.split(sep).slice(0, -1).map((_, depth, parts) => parts.slice(0, depth + 1).join(sep));
