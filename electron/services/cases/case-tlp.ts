import { strictestTlp, type TlpLevel } from '../../../shared/domain/tlp.ts';
import { fail } from '../../../shared/failure.ts';
import { tlpName } from './case-words.ts';

/** How a case is marked: as asked, never less strictly than a sample in it; else as its strictest sample. Fails with `tlp-too-open`. */
export function caseTlp(asked: TlpLevel | null, strictest: TlpLevel | null): TlpLevel | null {
  if (asked === null) return strictest;
  requireStrict(asked, strictest);
  return asked;
}

/** Fails with `tlp-too-open`. */
export function requireStrict(tlp: TlpLevel | null, sample: TlpLevel | null): void {
  if (sample === null || strictestTlp([tlp, sample]) === tlp) return;
  fail({ kind: 'tlp-too-open', tlp: tlp === null ? 'A case without a TLP' : tlpName(tlp), strictest: tlpName(sample) });
}
