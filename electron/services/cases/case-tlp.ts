import type { CaseOptions } from '../../../shared/domain/case.ts';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import { isTlpUnknown, strictestTlp, type TlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import { fail } from '../../../shared/failure.ts';
import type { CaseSummary } from './case-summary.ts';
import { tlpName } from './case-words.ts';

/** How a case is marked, and whether the person vouches for what is not known. */
export type CaseMarking = Pick<CaseOptions, 'tlp' | 'vouched'>;
type Strictness = Pick<CaseSummary, 'tlp' | 'unknownTlps'>;

/**
 * How a case is marked: as asked, never less strictly than a sample in it; else as its strictest sample. Fails with
 * `tlp-too-open`, `tlp-unknown`.
 */
export function caseTlp({ tlp: asked, vouched }: CaseMarking, samples: Strictness): TlpLevel | null {
  const tlp = asked ?? samples.tlp;
  requireStrict({ tlp, vouched }, samples);
  return tlp;
}

/**
 * Fails with `tlp-too-open`; and with `tlp-unknown` where a sample may be stricter for all that is known, and nobody
 * vouches for it.
 */
export function requireStrict({ tlp, vouched }: CaseMarking, { tlp: strictest, unknownTlps }: Strictness): void {
  if (strictest !== null && strictestTlp([tlp, strictest]) !== tlp)
    fail({
      kind: 'tlp-too-open',
      tlp: tlp === null ? 'A case without a TLP' : tlpName(tlp),
      strictest: tlpName(strictest),
    });
  if (unknownTlps > 0 && !vouched && tlp !== tlpLevels.at(-1)) fail({ kind: 'tlp-unknown', samples: unknownTlps });
}

/** The same of one sample. */
export const requireStrictFor = (marking: CaseMarking, sample: Pick<SampleFacts, 'tlp' | 'isRecorded'>): void =>
  requireStrict(marking, { tlp: sample.tlp, unknownTlps: Number(isTlpUnknown(sample)) });
