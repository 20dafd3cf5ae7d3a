import { lstat, rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { currentInstant } from '../../../shared/domain/clock.ts';
import { fail, FailureError, type FailureOf } from '../../../shared/failure.ts';
import { syncFolder } from '../../base/files.ts';
import { removeUnfinished, translateFileError } from '../directory/atomic-file.ts';
import {
  contentOf,
  type Copied,
  type CopiedFile,
  copyFile,
  digestOf,
  type FolderContent,
  openToCopy,
} from '../directory/folder-copy.ts';
import { requireFree } from '../directory/move-plan.ts';
import { readSchemaVersion } from '../migrations/migrations.ts';
import { backupFileName, holdBackup, requireBackupOf, type WholeBackup, writeBackupFile } from './backup-folder.ts';
import {
  type BackedUpFile,
  BackupListWriter,
  backupRules,
  databaseName,
  databasesIn,
  digestsIn,
  type EarlierStates,
  earlierStates,
  type FoundDatabase,
  isUnchanged,
  listNames,
} from './backup-list.ts';
import { BackupObjects } from './backup-objects.ts';
import { BackupSamples, isWholeContainer, mendPack, ownFile, type RecordPlace } from './backup-samples.ts';
import { copyDatabase, putJobsAtRest } from './database-copy.ts';

export interface BackupOrder {
  /** The data directory, held by this process. */
  from: string;
  /** A folder that `takeBackupFolder` gave. */
  to: string;
  installation: string;
  /** Of the program. */
  version: string;
}

/** Receives the progress of a backup. An error thrown here ends the backup, and the earlier state remains in force. */
export interface BackupFollower {
  /** What there is to copy, as far as that is known before. */
  planned(size: { files: number; bytes: number }): void;
  read(bytes: number): void;
  file(outcome: 'done' | 'already-here'): void;
  /**
   * Before `whole`, of each sample that Vitrine expects in its vault and that is not there as it was written: what an
   * earlier state has of it stays, if one has any.
   */
  lost(failure: FailureOf<'backup-kept' | 'backup-missed'>): void;
  /**
   * It is in force from now on. What is left is to remove what nothing needs any more. `missed`: how many samples are
   * not in it.
   */
  whole(backup: WholeBackup & { copied: number; missed: number }): void;
}

/** Files came and went each time: something is at work that a backup cannot keep up with. */
const mostPasses = 5;

/**
 * Copies all data, while it is open, into its backup. What is there unchanged is not copied again. Until
 * its end the state before is in force, and nothing of that is touched. Fails with `backup-refused`, `disk-full`,
 * `not-writable`, `disk-failed`, `data-damaged`, `storage-busy`, or with what the follower throws.
 */
export async function makeBackup(order: BackupOrder, follower: BackupFollower): Promise<void> {
  try {
    // Where there is none, nothing is put either.
    await requireBackupOf(order.to, order.installation);
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
  const { whole } = await requireBackupOf(order.to, order.installation);
  for (let pass = 0; pass < mostPasses; pass++) {
    const made = await new BackupPass(order, follower, whole).run();
    if (made === null) continue;
    await requireInForce(order, whole);
    await writeBackupFile(order.to, { installation: order.installation, whole: made.state });
    // Samples without any copy come first: a job can list only some of them.
    for (const sha256 of made.missed) follower.lost({ kind: 'backup-missed', sha256 });
    for (const sha256 of made.kept) follower.lost({ kind: 'backup-kept', sha256 });
    follower.whole({ ...made.state, copied: made.copied, missed: made.missed.length });
    await requireInForce(order, made.state);
    return await sweep(order.to, made);
  }
  fail({ kind: 'storage-busy' });
}

/** On a disk that does not keep locks another copy of this data may have written since. */
async function requireInForce({ to, installation }: BackupOrder, expected: WholeBackup | null): Promise<void> {
  const { whole } = await requireBackupOf(to, installation);
  if (whole?.list.sha256 !== expected?.list.sha256) fail({ kind: 'storage-busy' });
}

interface MadeState {
  state: WholeBackup;
  copied: number;
  /** Samples. */
  missed: readonly string[];
  kept: readonly string[];
  /** Of all bytes that it names. */
  sha256s: ReadonlySet<string>;
}

async function sweep(folder: string, { state, sha256s }: MadeState): Promise<void> {
  for (const name of await listNames(folder))
    if (name !== state.list.name) await rm(join(folder, name), { force: true });
  await new BackupObjects(folder).sweep(sha256s);
}

class BackupPass {
  readonly #order: BackupOrder;
  readonly #follower: BackupFollower;
  readonly #objects: BackupObjects;
  readonly #before: WholeBackup | null;
  readonly #sha256s = new Set<string>();
  readonly #sum = { files: 0, bytes: 0, copied: 0 };
  readonly #lost = { missed: new Array<string>(), kept: new Array<string>() };
  /** Folders that the list has. */
  readonly #folders = new Set<string>();
  #earlier: EarlierStates = { files: new Map(), databases: new Set() };
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
    this.#earlier = await earlierStates(to, this.#before?.list.name ?? null);
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
    const files = content.files.filter((file) => !isUnchanged(file, this.#earlier.files.get(file.path)));
    const bytes = [...files, ...databases].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    await this.#requireFree({ bytes, files: files.length + databases.length });
    this.#follower.planned({ files: content.files.length + databases.length, bytes });
  }

  /**
   * Bytes that no list names come from an interrupted run and are deleted to free space. If the list in force is not
   * the one that was written, it is unknown which bytes these are.
   */
  async #requireFree(size: Parameters<typeof requireFree>[1]): Promise<void> {
    const { to } = this.#order;
    try {
      await requireFree(to, size);
    } catch (error) {
      if (!(error instanceof FailureError) || error.failure.kind !== 'disk-full' || !(await this.#isListWhole()))
        throw error;
      await this.#objects.sweep(await digestsIn(to));
      await requireFree(to, size);
    }
  }

  async #isListWhole(): Promise<boolean> {
    return (
      this.#before === null ||
      (await digestOf(join(this.#order.to, this.#before.list.name))) === this.#before.list.sha256
    );
  }

  /**
   * Databases first: what they name is a file by then, and the files that come after it are only more than they know.
   */
  async #copyAll(list: BackupListWriter, before: FolderContent): Promise<MadeState | null> {
    const { from, to, version } = this.#order;
    const made = currentInstant();
    const { schema, sha256: database } = await this.#copyDatabases(list);
    const content = await contentOf(from, backupRules);
    const there = new Set(content.files.map(({ path }) => path));
    this.#isTorn = before.files.some(({ path }) => !there.has(path));
    await this.#addFolders(list, content.folders);
    const samples = new BackupSamples({ from, to, database, earlier: this.#earlier, objects: this.#objects });
    try {
      for (const file of content.files) await this.#copyFile(list, file, samples);
      await this.#keepLost(list, there, samples);
    } finally {
      samples.close();
    }
    if (this.#isTorn) return null;
    await this.#objects.sync();
    const sha256 = await list.finish();
    await syncFolder(to);
    const { files, bytes, copied } = this.#sum;
    return {
      state: { made, version, schema, list: { name: list.name, sha256 }, files, bytes },
      copied,
      ...this.#lost,
      sha256s: this.#sha256s,
    };
  }

  /** @returns the schema version of Vitrine's own, and where that lies */
  async #copyDatabases(list: BackupListWriter): Promise<{ schema: number; sha256: string | null }> {
    const own: { schema: number; sha256: string | null } = { schema: 0, sha256: null };
    for (const { path } of databasesIn(this.#order.from)) {
      const copy = this.#objects.newPath();
      await copyDatabase(join(this.#order.from, path), copy, (bytes) => this.#follower.read(bytes));
      if (path === databaseName) {
        // Also who puts it back by hand has not two programs at the same work.
        putJobsAtRest(copy);
        own.schema = readSchemaVersion(copy);
      }
      const { sha256, sizeBytes, isNew } = await this.#objects.keep(copy, {
        sha256: await digestOf(copy),
        sizeBytes: (await lstat(copy)).size,
      });
      if (path === databaseName) own.sha256 = sha256;
      await this.#note(list, { path, sizeBytes, changedMs: null, sha256 }, isNew);
    }
    return own;
  }

  async #copyFile(list: BackupListWriter, file: CopiedFile, samples: BackupSamples): Promise<void> {
    const known = this.#earlier.files.get(file.path);
    if (
      isUnchanged(file, known) &&
      file.sizeBytes >= samples.leastBytesOf(file.path) &&
      (await this.#objects.has(known))
    )
      return this.#note(list, known, false);
    const places = samples.placesIn(file.path);
    if (places.length > 0) return this.#copyPack(list, file, { places, samples });
    const sample = samples.ownSampleIn(file.path);
    if (sample === null) return void (await this.#copyBytes(list, file));
    const isWhole = (copy: string): Promise<boolean> => isWholeContainer(copy, sample, () => this.#follower.read(0));
    if (!(await this.#readable(file.path, () => this.#copyBytes(list, file, isWhole))))
      await this.#keepEarlier(list, file.path, sample);
  }

  /** A vault that lost samples, or was created again, removes none from the backup; only forgetting a sample does. */
  async #keepLost(list: BackupListWriter, there: ReadonlySet<string>, samples: BackupSamples): Promise<void> {
    for (const sample of samples.ownSamples())
      if (!there.has(ownFile(sample))) await this.#keepEarlier(list, ownFile(sample), sample);
    for (const path of samples.packFiles())
      if (!there.has(path))
        await this.#copyPack(
          list,
          { path, sizeBytes: 0, changedMs: null },
          { places: samples.placesIn(path), samples },
        );
  }

  /** What the vault has of a sample is not what was written, or is not there. */
  async #keepEarlier(list: BackupListWriter, path: string, sample: string): Promise<void> {
    const known = this.#earlier.files.get(path);
    const isThere = known !== undefined && (await this.#objects.has(known));
    this.#lost[isThere ? 'kept' : 'missed'].push(sample);
    if (!isThere) return;
    await this.#addFolders(list, foldersOf(path));
    await this.#note(list, known, false);
  }

  /**
   * A pack as it is, but for samples that are not whole in it and are elsewhere: they are put back at their places.
   * `changedMs` null: it is not there.
   */
  async #copyPack(
    list: BackupListWriter,
    file: Omit<BackedUpFile, 'sha256'>,
    { places, samples }: { places: readonly RecordPlace[]; samples: BackupSamples },
  ): Promise<void> {
    const kept: string[] = [];
    const find = async (place: RecordPlace): Promise<Buffer | null> => {
      this.#follower.read(0);
      const inVault = await samples.findInVault(place);
      const container = inVault ?? (await samples.findEarlier(place));
      if (inVault === null && container !== null) kept.push(place.sha256);
      return container;
    };
    let isLost = false;
    const copied = await this.#objects.filled(async (path) => {
      const base = file.changedMs === null ? null : await this.#readable(file.path, () => this.#copyTo(path, file));
      if (base === null) await writeFile(path, '', { flag: 'a', mode: 0o600 });
      const { missing, isChanged } = await mendPack(path, places, find);
      this.#lost.kept.push(...kept);
      this.#lost.missed.push(...missing);
      isLost = base === null || kept.length + missing.length > 0;
      if (base !== null && !isChanged) return base;
      return base === null && missing.length === places.length
        ? null
        : { sha256: await digestOf(path), sizeBytes: (await lstat(path)).size };
    });
    if (copied === null) return;
    await this.#addFolders(list, foldersOf(file.path));
    // A file that does not match the vault is read again each time.
    await this.#note(list, { ...file, ...copied, changedMs: isLost ? null : file.changedMs }, copied.isNew);
  }

  /** @returns null where the disk cannot read that file of the data directory */
  async #readable<T>(path: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (
        error instanceof FailureError &&
        error.failure.kind === 'disk-failed' &&
        error.failure.path === join(this.#order.from, path)
      )
        return null;
      throw error;
    }
  }

  /** @returns whether that is settled; false: the copy is not sound, and nothing was kept */
  async #copyBytes(
    list: BackupListWriter,
    file: CopiedFile,
    isSound = async (_copy: string): Promise<boolean> => true,
  ): Promise<boolean> {
    let isGone = false;
    const copied = await this.#objects.filled(async (path) => {
      const read = await this.#copyTo(path, file);
      isGone = read === null;
      return read !== null && (await isSound(path)) ? read : null;
    });
    if (copied !== null) await this.#note(list, { ...file, ...copied }, copied.isNew);
    return copied !== null || isGone;
  }

  /** @returns null for what went meanwhile */
  async #copyTo(path: string, file: Pick<CopiedFile, 'path' | 'sizeBytes'>): Promise<Copied | null> {
    const source = await openToCopy(this.#order.from, file.path, backupRules);
    if (source === null) {
      this.#isTorn = true;
      return null;
    }
    // What is appended meanwhile, to a pack, the copied database does not know.
    return copyFile(source, path, {
      from: join(this.#order.from, file.path),
      atMostBytes: file.sizeBytes,
      onBytes: (bytes) => this.#follower.read(bytes),
    });
  }

  async #addFolders(list: BackupListWriter, folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
      if (!this.#folders.has(folder)) await list.add({ folder });
      this.#folders.add(folder);
    }
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
const foldersOf = (path: string): string[] =>
  path
    .split(sep)
    .slice(0, -1)
    .map((_, depth, parts) => parts.slice(0, depth + 1).join(sep));
