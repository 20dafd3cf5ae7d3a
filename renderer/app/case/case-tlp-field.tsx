import { type TlpLevel, tlpLevels } from '../../../shared/domain/tlp.ts';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TlpLamp } from '../../components/tlp-select.tsx';
import { isLessStrict } from './case-draft.ts';
import type { Strictest } from './strictest.ts';
import { text } from './text.ts';

export interface CaseTlpFieldProps {
  /** null: as the strictest of its samples. */
  value: TlpLevel | null;
  /** undefined until it is known. */
  strictest: Strictest | undefined;
  onChange(level: TlpLevel | null): void;
}

/** Begins with the strictest of the samples, and cannot be less strict. */
export function CaseTlpField({ value, strictest, onChange }: CaseTlpFieldProps) {
  const least = strictest?.isKnown === true ? strictest.level : null;
  const isNone = strictest?.isKnown === true && least === null;
  const first = least === null ? [{ value: 'own' as const, text: isNone ? text.noTlp : text.asStrict, endsLine: true }] : [];
  const levels = tlpLevels.map((level) => ({ value: level, text: <TlpLamp level={level} />, isDisabled: isLessStrict(level, strictest) }));
  const chosen = value !== null && !isLessStrict(value, strictest) ? value : (least ?? 'own');
  return <RadioChoice label={text.tlp} value={chosen} options={[...first, ...levels]} hint={hintOf(strictest)} onChange={(level) => onChange(level === 'own' ? null : level)} isInline />;
}

function hintOf(strictest: Strictest | undefined): string {
  if (strictest === undefined) return text.readingTlp;
  if (!strictest.isKnown) return text.tlpUnknown;
  return strictest.level === null ? text.tlpNone : text.strictest(strictest.level.toUpperCase());
}
