import { type ReactNode, useRef } from 'react';
import { tlpLevels } from '../../../shared/domain/tag.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TlpLamp } from '../../components/tlp-select.tsx';
import { useKeptFocus } from '../use-kept-focus.ts';
import { type CaseDraft, isLessStrict, leastStrict } from './case-draft.ts';
import styles from './case.module.css';
import type { Strictest } from './strictest.ts';
import { text } from './text.ts';

export interface CaseTlpFieldProps {
  draft: CaseDraft;
  /** undefined until it is known. */
  strictest: Strictest | undefined;
  onChange(change: Partial<CaseDraft>): void;
  /** Besides the mark, where the TLP of samples is not known. */
  remedy: ReactNode;
}

/**
 * Begins with the strictest of the samples, and cannot be less strict; as strict as there is, until somebody vouches
 * for those whose TLP is not known.
 */
export function CaseTlpField({ draft, strictest, onChange, remedy }: CaseTlpFieldProps) {
  const { tlp, vouched } = draft;
  const field = useRef<HTMLDivElement>(null);
  // What is asked for may come, and take its button away.
  useKeptFocus(field);
  const least = leastStrict(draft, strictest);
  const first =
    least === null
      ? [{ value: 'own' as const, text: strictest?.isKnown === true ? text.noTlp : text.asStrict, endsLine: true }]
      : [];
  const levels = tlpLevels.map((level) => ({
    value: level,
    text: <TlpLamp level={level} />,
    isDisabled: isLessStrict(level, least),
  }));
  const chosen = tlp !== null && !isLessStrict(tlp, least) ? tlp : (least ?? 'own');
  // Who vouches chooses the mark then: it does not become milder by that alone.
  const vouch = (isVouched: boolean): void =>
    onChange({ vouched: isVouched, tlp: isVouched && chosen !== 'own' ? chosen : tlp });
  const isDoubtful = strictest !== undefined && (!strictest.isKnown || strictest.unknown > 0);
  return (
    <div ref={field} className={styles.tlp}>
      <div data-landing tabIndex={-1}>
        <RadioChoice
          label={text.tlp}
          value={chosen}
          options={[...first, ...levels]}
          hint={hintOf(draft, strictest)}
          onChange={(level) => onChange({ tlp: level === 'own' ? null : level })}
          isInline
        />
      </div>
      {isDoubtful && remedy}
      {isDoubtful && (
        <Checkbox isSelected={vouched} onChange={vouch}>
          {text.vouch} <span className={styles.purpose}>{text.vouchHint}</span>
        </Checkbox>
      )}
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
