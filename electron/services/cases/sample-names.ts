import type { CaseSample } from './case-sample.ts';

/**
 * What the samples of one case are known by in identifiers: the MD5, which is known first and stays, so that a sample
 * told of again once more of its hashes are known is the same one. Of several rows with one MD5 the oldest has it
 * alone.
 */
export class SampleNames {
  readonly #taken = new Set<string>();

  /** To be asked once for each sample. */
  of({ md5, sha256, sha1 }: Pick<CaseSample, 'md5' | 'sha256' | 'sha1'>): string {
    const short = md5 ?? sha256 ?? sha1 ?? '';
    const name = this.#taken.has(short) ? `${short}/${sha256 ?? ''}` : short;
    this.#taken.add(name);
    return name;
  }
}
