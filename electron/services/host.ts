import { randomBytes } from 'node:crypto';
import type { HostDescription } from '../../shared/domain/host.ts';
import { fail } from '../../shared/failure.ts';
import type { Platform } from '../platform/platform.ts';

export interface HostOptions {
  platform: Platform;
  version: string;
  exportFolder: string | null;
  logPath: string;
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

  /** Where exports go; null until a folder is chosen. No folder ever comes from the page. */
  get exportFolder(): string | null {
    return this.#exportFolder;
  }

  /** A folder that somebody at a terminal named by its path. @returns what an operation names it by, until this host ends */
  nameFolder(path: string): string {
    const id = randomBytes(16).toString('hex');
    this.#named.set(id, path);
    return id;
  }

  /** Where exports go that are asked for so. Fails with `folder-not-named`. */
  folderFor(id: string | undefined): string | null {
    return id === undefined ? this.#exportFolder : this.namedFolder(id);
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
