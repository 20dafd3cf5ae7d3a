import { useState } from 'react';
import { settingSchemas } from '../../../shared/domain/settings.ts';
import { TextField } from '../../components/text-field.tsx';
import styles from './settings.module.css';
import { text } from './text.ts';
import { useChangedValue } from './use-changed-value.ts';

export interface NumberSettingProps {
  name:
    | 'bulkUrlBytes'
    | 'bulkConnections'
    | 'uploadFiles'
    | 'uploadMebibytes'
    | 'scanSeconds'
    | 'scanMebibytes'
    | 'scanMemoryMebibytes';
  label: string;
  hint: string;
  stored: number;
  onSave(value: number): void;
}

/** Saved when the field is left, as long as it is a number the setting takes. */
export function NumberSetting({ name, label, hint, stored, onSave }: NumberSettingProps) {
  const schema = settingSchemas[name];
  const [typed, setTyped] = useState(String(stored));
  const saveChanged = useChangedValue(stored, onSave);
  const read = schema.safeParse(/^\d{1,9}$/.test(typed.trim()) ? Number(typed) : null);
  const save = (): void => {
    if (read.success) saveChanged(read.data);
  };
  return (
    <div className={styles.number}>
      <TextField
        label={label}
        value={typed}
        onChange={setTyped}
        onBlur={save}
        onEnter={save}
        hint={hint}
        problem={read.success ? null : text.wholeNumber(schema.minValue ?? 0, schema.maxValue ?? 0)}
        inputMode="numeric"
        autoComplete="off"
      />
    </div>
  );
}
