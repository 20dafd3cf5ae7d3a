import { fingerprintOf, newSigningKey, publicKeyOf } from '../../archive/bundle/bundle-header.ts';
import type { TokenStore } from '../../storage/token-store.ts';

const tokenName = 'bundle-key';

/** This desk's own key: where tokens are, and for this session alone where these are in memory. */
export class BundleKey {
  readonly #tokens: Pick<TokenStore, 'get' | 'set' | 'state'>;
  readonly #keepOutOfLogs: (secret: string) => void;
  #making: Promise<string> | null = null;

  constructor(tokens: Pick<TokenStore, 'get' | 'set' | 'state'>, keepOutOfLogs: (secret: string) => void) {
    this.#tokens = tokens;
    this.#keepOutOfLogs = keepOutOfLogs;
  }

  /** Made when it is first asked for. Fails as the token store does. */
  async signingKey(): Promise<string> {
    this.#making ??= this.#foundOrMade().finally(() => {
      this.#making = null;
    });
    return this.#making;
  }

  async signer(): Promise<{ fingerprint: string; isDurable: boolean }> {
    const fingerprint = fingerprintOf(publicKeyOf(await this.signingKey()));
    return { fingerprint, isDurable: this.#tokens.state().store !== 'memory' };
  }

  /** null also while the token store is locked: then nobody can say which key is ours. */
  async fingerprintIfAny(): Promise<string | null> {
    const key = await this.#tokens.get(tokenName).catch(() => null);
    return key === null ? null : fingerprintOf(publicKeyOf(key));
  }

  async #foundOrMade(): Promise<string> {
    const found = await this.#tokens.get(tokenName);
    if (found !== null) return found;
    const made = newSigningKey();
    this.#keepOutOfLogs(made);
    await this.#tokens.set(tokenName, made);
    return made;
  }
}
