import { TextField } from '../../components/text-field.tsx';
import styles from './settings.module.css';
import { text } from './text.ts';
import type { FieldGroupProps } from './trust-fields.tsx';

export function TimeoutFields({ fields, problems, onChange }: FieldGroupProps) {
  return (
    <fieldset className={styles.fieldset}>
      <legend className={styles.groupTitle}>{text.timeouts}</legend>
      <p className={styles.sentence}>{text.timeoutsHint}</p>
      <div className={styles.three}>
        <TextField
          label={text.connect}
          value={fields.connectSeconds}
          onChange={(connectSeconds) => onChange({ connectSeconds })}
          problem={problems.connectSeconds ?? null}
          inputMode="numeric"
        />
        <TextField
          label={text.firstByte}
          value={fields.firstByteSeconds}
          onChange={(firstByteSeconds) => onChange({ firstByteSeconds })}
          problem={problems.firstByteSeconds ?? null}
          inputMode="numeric"
        />
        <TextField
          label={text.idle}
          value={fields.idleSeconds}
          onChange={(idleSeconds) => onChange({ idleSeconds })}
          problem={problems.idleSeconds ?? null}
          inputMode="numeric"
        />
      </div>
    </fieldset>
  );
}
