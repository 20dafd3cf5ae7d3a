import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../shared/failure.ts';
import { syncFolder } from '../disk/move-into-place.ts';
import { translateFileError } from './atomic-file.ts';
import { backupRules, databasesIn, type FoundDatabase } from './backup-content.ts';
import { copyDatabase } from './backup-database.ts';
import { type WholeBackup, writeBackupFile } from './backup-file.ts';
import { type BackedUpFile, BackupListWriter, isUnchanged, knownFiles, listNames } from './backup-list.ts';
import { BackupObjects } from './backup-objects.ts';
import { requireBackupOf } from './backup-place.ts';
import { contentOf, type CopiedFile, digestOf, type FolderContent, openToCopy } from './folder-copy.ts';
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
  /** It is in force from now on. What is left is to remove what nothing needs any more. */
  whole(backup: WholeBackup & { copied: number }): void;
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
    const { whole } = await requireBackupOf(order.to, order.desk);
    for (let pass = 0; pass < mostPasses; pass++) {
      const made = await new BackupPass(order, follower, whole).run();
      if (made === null) continue;
      await writeBackupFile(order.to, { desk: order.desk, whole: made.state });
      follower.whole({ ...made.state, copied: made.copied });
      return await sweep(order.to, made);
    }
    fail({ kind: 'storage-busy' });
  } catch (error) {
    throw translateFileError(error, order.to);
  }
}

interface MadeState {
  state: WholeBackup;
  copied: number;
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
  readonly #sum = { files: 0, bytes: 0, copied: 0 };
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
    await requireFree(this.#order.to, { bytes, files: files.length + databases.length });
    this.#follower.planned({ files: content.files.length + databases.length, bytes });
  }

  /** Databases first: what they name is a file by then, and the files that come after it are only more than they know. */
  async #copyAll(list: BackupListWriter, before: FolderContent): Promise<MadeState | null> {
    const { from, to, version } = this.#order;
    const made = new Date().toISOString();
    const schema = await this.#copyDatabases(list);
    const content = await contentOf(from, backupRules);
    const there = new Set(content.files.map(({ path }) => path));
    this.#isTorn = before.files.some(({ path }) => !there.has(path));
    for (const folder of content.folders) await list.add({ folder });
    for (const file of content.files) await this.#copyFile(list, file);
    if (this.#isTorn) return null;
    await this.#objects.sync();
    const sha256 = await list.finish();
    await syncFolder(to);
    const { files, bytes, copied } = this.#sum;
    return { state: { made, version, schema, list: { name: list.name, sha256 }, files, bytes }, copied, sha256s: this.#sha256s };
  }

  /** @returns the schema version of the desk's own */
  async #copyDatabases(list: BackupListWriter): Promise<number> {
    let schema = 0;
    for (const { path } of databasesIn(this.#order.from)) {
      const copy = this.#objects.newPath();
      await copyDatabase(join(this.#order.from, path), copy, (bytes) => this.#follower.read(bytes));
      if (path === 'vitrine.db') {
        // Also who puts it back by hand has not two desks at the same work.
        putJobsAtRest(copy);
        schema = readSchemaVersion(copy);
      }
      const { sha256, sizeBytes, isNew } = await this.#objects.keep(copy, { sha256: await digestOf(copy), sizeBytes: (await lstat(copy)).size });
      await this.#note(list, { path, sizeBytes, changedMs: null, sha256 }, isNew);
    }
    return schema;
  }

  async #copyFile(list: BackupListWriter, file: CopiedFile): Promise<void> {
    const known = this.#known.get(file.path);
    if (isUnchanged(file, known) && (await this.#objects.has(known))) return this.#note(list, known, false);
    const source = await openToCopy(this.#order.from, file.path, backupRules);
    if (source === null) {
      this.#isTorn = true;
      return;
    }
    // What is appended meanwhile, to a pack, the copied database does not know.
    const { sha256, sizeBytes, isNew } = await this.#objects.put(source, { atMostBytes: file.sizeBytes, onBytes: (bytes) => this.#follower.read(bytes) });
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

