import type { HostDescription } from '../../shared/domain/host.ts';
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

  constructor(options: HostOptions) {
    this.#options = options;
    this.#exportFolder = options.exportFolder;
  }

  /** Where exports go; null until a folder is chosen. No folder ever comes from the page. */
  get exportFolder(): string | null {
    return this.#exportFolder;
  }

  describe(state: Pick<HostDescription, 'secrets' | 'lab'>): HostDescription {
    const { platform, version } = this.#options;
    return {
      name: 'Vitrine',
      version,
      platform: platform.kind,
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
