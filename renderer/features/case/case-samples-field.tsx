import { mostMispSampleMebibytes } from '../../../shared/domain/case.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { TextField } from '../../components/text-field.tsx';
import type { CaseDraft } from './case-draft.ts';
import styles from './case.module.css';
import { text } from './strings.ts';

/** The samples themselves, in an event of MISP: off until it is ticked. */
export function CaseSamplesField({
  draft,
  onChange,
}: {
  draft: CaseDraft;
  onChange(change: Partial<CaseDraft>): void;
}) {
  return (
    <div className={styles.samples}>
      <Checkbox isSelected={draft.withSamples} onChange={(withSamples) => onChange({ withSamples })}>
        {text.withSamples} <span className={styles.purpose}>{text.withSamplesHint(mostMispSampleMebibytes)}</span>
      </Checkbox>
      {draft.withSamples && (
        <TextField
          label={text.password}
          value={draft.password}
          onChange={(password) => onChange({ password })}
          hint={text.passwordHint}
          problem={draft.password === '' ? text.passwordMissing : null}
          maxLength={128}
          autoComplete="off"
          mono
        />
      )}
    </div>
  );
}
