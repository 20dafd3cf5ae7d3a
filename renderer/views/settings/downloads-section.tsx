import { useState } from 'react';
import { settingSchemas } from '../../../shared/domain/settings.ts';
import { useSettings } from '../../app/use-settings.ts';
import { TextField } from '../../components/text-field.tsx';
import styles from './settings.module.css';
import { text } from './text.ts';

export function DownloadsSection() {
  const { values, change, isKnown } = useSettings();
  if (!isKnown) return null;
  return (
    <>
      <p className={styles.sentence}>{text.downloadsSentence}</p>
      <NumberField name="bulkUrlBytes" label={text.urlBytes} hint={text.urlBytesHint} stored={values.bulkUrlBytes} onSave={(bulkUrlBytes) => change({ bulkUrlBytes })} />
      <NumberField name="bulkConnections" label={text.connections} hint={text.connectionsHint} stored={values.bulkConnections} onSave={(bulkConnections) => change({ bulkConnections })} />
    </>
  );
}

interface NumberFieldProps {
  name: 'bulkUrlBytes' | 'bulkConnections';
  label: string;
  hint: string;
  stored: number;
  onSave(value: number): void;
}

/** Saved when the field is left, as long as it is a number the setting takes. */
function NumberField({ name, label, hint, stored, onSave }: NumberFieldProps) {
  const schema = settingSchemas[name];
  const [typed, setTyped] = useState(String(stored));
  const read = schema.safeParse(/^\d{1,9}$/.test(typed.trim()) ? Number(typed) : null);
  const save = (): void => {
    if (read.success && read.data !== stored) onSave(read.data);
  };
  return (
    <div className={styles.number}>
      <TextField
        label={label}
        value={typed}
        onChange={setTyped}
        onBlur={save}
        onKeyDown={(event) => event.key === 'Enter' && save()}
        hint={hint}
        problem={read.success ? null : text.wholeNumber(schema.minValue ?? 0, schema.maxValue ?? 0)}
        inputMode="numeric"
        autoComplete="off"
      />
    </div>
  );
}
