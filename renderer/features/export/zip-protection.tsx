import { type ReactNode, useState } from 'react';
import type { ZipEncryption } from '../../../shared/domain/settings.ts';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useSettings } from '../../state/settings.ts';
import styles from './export.module.css';
import { text } from './text.ts';

export interface ZipProtection {
  encryption: ZipEncryption;
  password: string;
}

const encryptions: readonly { value: ZipEncryption; text: ReactNode }[] = [
  {
    value: 'aes-256',
    text: (
      <>
        {text.aes} <span className={styles.aside}>{text.aesHint}</span>
      </>
    ),
  },
  {
    value: 'zipcrypto',
    text: (
      <>
        {text.zipcrypto} <span className={styles.aside}>{text.zipcryptoHint}</span>
      </>
    ),
  },
];

/** Begins with what the settings say. */
export function useZipProtection(): [ZipProtection, (changed: ZipProtection) => void] {
  const { values } = useSettings();
  const [chosen, setChosen] = useState<ZipProtection | null>(null);
  return [chosen ?? { encryption: values.exportEncryption, password: values.exportPassword }, setChosen];
}

/** How a ZIP is locked. */
export function ZipProtectionFields({
  value,
  onChange,
}: {
  value: ZipProtection;
  onChange(changed: ZipProtection): void;
}) {
  return (
    <>
      <RadioChoice
        label={text.encryption}
        value={value.encryption}
        options={encryptions}
        onChange={(encryption) => onChange({ ...value, encryption })}
      />
      <TextField
        label={text.password}
        value={value.password}
        onChange={(password) => onChange({ ...value, password })}
        hint={text.passwordHint}
        problem={value.password === '' ? text.passwordMissing : null}
        maxLength={128}
        autoComplete="off"
        mono
      />
    </>
  );
}
