import { randomBytes } from 'node:crypto';
import type { HostDescription } from '../../shared/domain/host.ts';
import { fail } from '../../shared/failure.ts';
import type { Platform } from '../platform/platform.ts';

export interface HostOptions {
  platform: Pick<Platform, 'kind' | 'isPackaged' | 'capabilities' | 'dataDirectory' | 'chooseFolder' | 'openPath'>;
  version: string;
  exportFolder: string | null;
  logPath: string;
  /** Throws `export-into-watched` for a folder from which an export would come back. */
  requireUnwatched(folder: string): Promise<void>;
}

/** What the page may know of the machine it runs on, and the few things it may ask of it. */
export class HostService {
  readonly #options: HostOptions;
  #exportFolder: string | null;
  readonly #named = new Map<string, string>();

  constructor(options: HostOptions) {
    this.#options = options;
    this.#exportFolder = options.exportFolder;
  }

  /**
   * A folder that a user at a terminal named by its path.
   *
   * @returns what an operation names it by, until this host ends
   */
  nameFolder(path: string): string {
    const id = randomBytes(16).toString('hex');
    this.#named.set(id, path);
    return id;
  }

  /**
   * Where an export goes: into the folder that is named, or was chosen; null until one was. No path ever comes from the
   * page. Fails with `folder-not-named`, `export-into-watched`.
   */
  async folderFor(id: string | undefined): Promise<string | null> {
    const folder = id === undefined ? this.#exportFolder : this.namedFolder(id);
    if (folder !== null) await this.#options.requireUnwatched(folder);
    return folder;
  }

  /** The same; null for what goes another way. `named`: where the command line writes it. */
  async folderTo(to: 'folder' | 'browser' | 'command-line', named?: string): Promise<string | null> {
    if (to === 'folder') return this.folderFor(undefined);
    if (named !== undefined) await this.folderFor(named);
    return null;
  }

  /** Fails with `folder-not-named`. */
  namedFolder(id: string): string {
    return this.#named.get(id) ?? fail({ kind: 'folder-not-named' });
  }

  describe(state: Pick<HostDescription, 'secrets' | 'lab'>): HostDescription {
    const { platform, version } = this.#options;
    return {
      name: 'Vitrine',
      version,
      platform: platform.kind,
      isPackaged: platform.isPackaged,
      capabilities: platform.capabilities,
      dataDirectory: platform.dataDirectory,
      exportFolder: this.#exportFolder,
      ...state,
    };
  }

  async chooseExportFolder(): Promise<{ path: string | null }> {
    this.#exportFolder = (await this.#options.platform.chooseFolder('exports')) ?? this.#exportFolder;
    return { path: this.#exportFolder };
  }

  async openDataFolder(): Promise<void> {
    await this.#options.platform.openPath(this.#options.platform.dataDirectory);
  }

  async openLog(): Promise<void> {
    await this.#options.platform.openPath(this.#options.logPath);
  }
}
