import type { BundledSample } from '../../../shared/domain/bundle.ts';

/** As many bytes of a SHA-256 as nobody meets twice; more than an MD5 has, so that neither is taken for the other. */
const keptBytes = 20;

/** Which samples a bundle has had: each may be in it once. A million take some 80 MB. */
export class SampleNames {
  readonly #met = new Set<string>();

  /**
   * By its SHA-256, or by its MD5 where it has none: one MD5 may be that of several. @returns false when it was there
   * before
   */
  add({ sha256, md5 }: Pick<BundledSample, 'sha256' | 'md5'>): boolean {
    const name = Buffer.from(sha256 ?? md5, 'hex').toString('latin1', 0, keptBytes);
    if (this.#met.has(name)) return false;
    this.#met.add(name);
    return true;
  }
}
