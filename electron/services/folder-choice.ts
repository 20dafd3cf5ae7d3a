import { randomBytes } from 'node:crypto';
import { mkdir, opendir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemErrorCode, writeFailure } from '../../shared/disk-failure.ts';
import type { FolderListing, FolderPlace } from '../../shared/domain/host.ts';
import { fail } from '../../shared/failure.ts';
import type { Platform } from '../platform/platform.ts';

/** A person does not look through more; the field above the list finds a name among these. */
const listedAtMost = 2000;
/** Each listing gives ids for its folders. Those given first are dropped. */
const idsAtMost = 50_000;

interface Listed {
  path: string;
  /** The place it is in or below; its own path is the end of the way up. */
  root: string;
}

/**
 * Lets the page choose a folder of this computer where the system has no picker: it lists folders below a few places,
 * each with an id, and the page hands the id back. No path comes from the page, and what it may choose is below one of
 * these places, neither hidden nor reached over a link.
 */
export class FolderChoice {
  readonly #platform: Pick<Platform, 'folderPlaces' | 'dataDirectory'>;
  readonly #listed = new Map<string, Listed>();
  readonly #ids = new Map<string, string>();

  constructor(platform: Pick<Platform, 'folderPlaces' | 'dataDirectory'>) {
    this.#platform = platform;
  }

  /** The path of a listed folder; null: this id is not of one. Fails with `folder-unreadable`. */
  async pathOf(id: string): Promise<string | null> {
    const path = this.#listed.get(id)?.path ?? null;
    if (path !== null) await whereReadable(path, () => requireNoLink(path));
    return path;
  }

  /** `id`: null for the places. Fails with `folder-not-named`, `folder-unreadable`. */
  async list(id: string | null): Promise<FolderListing> {
    return id === null ? this.#places() : this.#inside(this.#find(id));
  }

  /** Fails with `folder-not-named`, `not-writable`, and as a disk does. */
  async make(parent: string, name: string): Promise<FolderListing> {
    const { path, root } = this.#find(parent);
    const made = join(path, name);
    try {
      await requireNoLink(path);
      await mkdir(made);
    } catch (error) {
      const code = systemErrorCode(error);
      if (code === null) throw error;
      if (code !== 'EEXIST') fail(writeFailure(code, path), error);
    }
    return this.#inside({ path: made, root });
  }

  #find(id: string): Listed {
    return this.#listed.get(id) ?? fail({ kind: 'folder-not-named' });
  }

  async #places(): Promise<FolderListing> {
    const found = new Map<string, FolderPlace>();
    for (const { path, place } of this.#platform.folderPlaces) {
      const real = await ifReadable(() => realpath(path));
      // One that cannot be read, or is empty as a place without a disk is, leads nowhere.
      if (real === null || found.has(real)) continue;
      if (place === 'disk' && (await ifReadable(() => foldersIn(real)))?.names.length === 0) continue;
      if (await isFolder(real)) found.set(real, place);
    }
    const folders = [...found].map(([path, place]) => ({ id: this.#idOf({ path, root: path }), name: path, place }));
    return { folder: null, parent: null, folders, isCut: false };
  }

  async #inside(listed: Listed): Promise<FolderListing> {
    const { path, root } = listed;
    return whereReadable(path, async () => {
      await requireNoLink(path);
      const data = await ifReadable(() => realpath(this.#platform.dataDirectory));
      // A new folder may be given its name.
      if (path === data) fail({ kind: 'folder-not-named' });
      const { names, isCut } = await foldersIn(path);
      const folders = names
        .filter((name) => join(path, name) !== data)
        .map((name) => ({ id: this.#idOf({ path: join(path, name), root }), name, place: null }));
      const parent = path === root ? null : this.#idOf({ path: dirname(path), root });
      return { folder: { id: this.#idOf(listed), path }, parent, folders, isCut };
    });
  }

  #idOf(listed: Listed): string {
    const key = `${listed.root}\0${listed.path}`;
    const id = this.#ids.get(key) ?? randomBytes(16).toString('hex');
    this.#ids.set(key, id);
    this.#listed.set(id, listed);
    if (this.#ids.size > idsAtMost) this.#dropFirst();
    return id;
  }

  #dropFirst(): void {
    for (const [key, id] of this.#ids) {
      this.#ids.delete(key);
      this.#listed.delete(id);
      return;
    }
  }
}

async function whereReadable<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === null) throw error;
    return fail({ kind: 'folder-unreadable', path, code }, error);
  }
}

/** A folder that became a link since it was listed leads elsewhere. @throws as the system does */
async function requireNoLink(path: string): Promise<void> {
  if ((await realpath(path)) !== path) fail({ kind: 'folder-unreadable', path, code: 'ELOOP' });
}

async function foldersIn(path: string): Promise<{ names: string[]; isCut: boolean }> {
  const names: string[] = [];
  // Links are not folders here, and neither are devices.
  for await (const entry of await opendir(path))
    if (entry.isDirectory() && !entry.name.startsWith('.')) names.push(entry.name);
  names.sort(new Intl.Collator('en', { numeric: true }).compare);
  return { names: names.slice(0, listedAtMost), isCut: names.length > listedAtMost };
}

const isFolder = async (path: string): Promise<boolean> =>
  (await ifReadable(async () => (await opendir(path)).close())) !== null;

async function ifReadable<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return null;
  }
}
