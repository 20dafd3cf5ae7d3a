import type { TokenChange } from '../../../shared/domain/workspace.ts';
import { FailureError, type FailureKind } from '../../../shared/failure.ts';
import { tokenName } from '../../api/connections.ts';
import type { TokenStore } from '../../storage/tokens/token-store.ts';

export interface PackagePasswordsOptions {
  tokens: Pick<TokenStore, 'get' | 'set' | 'delete' | 'names'>;
  /** The password that seals exports from here. */
  exportPassword(): string;
  keepOutOfLogs(secret: string): void;
  /** Receives a password that was set or, by null, removed. */
  changed(workspaceId: string, password: string | null): void;
}

const secretName = (workspaceId: string): string => tokenName(workspaceId, 'package-password');
const unreadable: ReadonlySet<FailureKind> = new Set<FailureKind>(['secrets-locked', 'secrets-damaged']);
/** What an archive of this field is usually opened with. */
const usual = 'infected';

/** The passwords that packages of a workspace are opened with. They lie where tokens do. */
export class PackagePasswords {
  readonly #options: PackagePasswordsOptions;

  constructor(options: PackagePasswordsOptions) {
    this.#options = options;
  }

  has(workspaceId: string): boolean {
    return this.#options.tokens.names().includes(secretName(workspaceId));
  }

  /** null also while the store cannot be read: other passwords may open a package. */
  async own(workspaceId: string): Promise<string | null> {
    try {
      return await this.#options.tokens.get(secretName(workspaceId));
    } catch (error) {
      if (error instanceof FailureError && unreadable.has(error.failure.kind)) return null;
      throw error;
    }
  }

  /** In the order to try them in. */
  async all(workspaceId: string): Promise<string[]> {
    const own = await this.own(workspaceId);
    return [...new Set([...(own === null ? [] : [own]), this.#options.exportPassword(), usual])];
  }

  async change(workspaceId: string, change: TokenChange): Promise<void> {
    const { tokens, keepOutOfLogs, changed } = this.#options;
    if (change.kind === 'keep') return;
    if (change.kind === 'clear') {
      await tokens.delete(secretName(workspaceId));
      changed(workspaceId, null);
      return;
    }
    keepOutOfLogs(change.token);
    await tokens.set(secretName(workspaceId), change.token);
    changed(workspaceId, change.token);
  }
}
