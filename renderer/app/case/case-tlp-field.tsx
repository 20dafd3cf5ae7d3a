import { tlpLevels } from '../../../shared/domain/tlp.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TlpLamp } from '../../components/tlp-select.tsx';
import { type CaseDraft, isLessStrict, leastStrict } from './case-draft.ts';
import styles from './case.module.css';
import type { Strictest } from './strictest.ts';
import { text } from './text.ts';

export interface CaseTlpFieldProps {
  draft: CaseDraft;
  /** undefined until it is known. */
  strictest: Strictest | undefined;
  onChange(change: Partial<CaseDraft>): void;
}

/** Begins with the strictest of the samples, and cannot be less strict; as strict as there is, until somebody vouches for those whose TLP is not known. */
export function CaseTlpField({ draft, strictest, onChange }: CaseTlpFieldProps) {
  const { tlp, vouched } = draft;
  const least = leastStrict(draft, strictest);
  const first = least === null ? [{ value: 'own' as const, text: strictest?.isKnown === true ? text.noTlp : text.asStrict, endsLine: true }] : [];
  const levels = tlpLevels.map((level) => ({ value: level, text: <TlpLamp level={level} />, isDisabled: isLessStrict(level, least) }));
  const chosen = tlp !== null && !isLessStrict(tlp, least) ? tlp : (least ?? 'own');
  // Who vouches chooses the mark then: it does not become milder by that alone.
  const vouch = (isVouched: boolean): void => onChange({ vouched: isVouched, tlp: isVouched && chosen !== 'own' ? chosen : tlp });
  const isDoubtful = strictest !== undefined && (!strictest.isKnown || strictest.unknown > 0);
  return (
    <div className={styles.tlp}>
      <RadioChoice label={text.tlp} value={chosen} options={[...first, ...levels]} hint={hintOf(draft, strictest)} onChange={(level) => onChange({ tlp: level === 'own' ? null : level })} isInline />
      {isDoubtful && <Checkbox isSelected={vouched} onChange={vouch}>{text.vouch} <span className={styles.purpose}>{text.vouchHint}</span></Checkbox>}
    </div>
  );
}

function hintOf({ vouched }: CaseDraft, strictest: Strictest | undefined): string {
  if (strictest === undefined) return text.readingTlp;
  if (!strictest.isKnown) return text.tlpOfMany;
  const { level, unknown } = strictest;
  const said = level === null ? null : text.strictest(level.toUpperCase());
  if (unknown === 0) return said ?? text.tlpNone;
  return [text.tlpUnknown(unknown), vouched ? said : text.tlpUntil].filter((part) => part !== null).join(' ');
}
