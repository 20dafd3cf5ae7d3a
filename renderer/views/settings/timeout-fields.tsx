import { TextField } from '../../components/text-field.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './settings.module.css';
import { text } from './text.ts';
import type { FieldGroupProps } from './trust-fields.tsx';

export function TimeoutFields({ fields, problems, onChange }: FieldGroupProps) {
  return (
    <fieldset className={classNames(layout.stack8, styles.fieldset)}>
      <legend className={styles.groupTitle}>{text.timeouts}</legend>
      <p className={typography.sentence}>{text.timeoutsHint}</p>
      <div className={classNames(layout.grid12, styles.three)}>
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
