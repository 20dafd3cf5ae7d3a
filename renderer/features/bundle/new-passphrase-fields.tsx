import { shortestBundlePassphrase } from '../../../shared/domain/bundle.ts';
import { TextField } from '../../components/text-field.tsx';
import styles from './bundle.module.css';
import { missingCharacters, passphraseStrength } from './passphrase-strength.ts';
import { text } from './strings.ts';

export interface NewPassphrase {
  passphrase: string;
  again: string;
}

export const isFit = ({ passphrase, again }: NewPassphrase): boolean =>
  passphrase === again && missingCharacters(passphrase) === 0;

export interface NewPassphraseFieldsProps {
  value: NewPassphrase;
  onChange(changed: NewPassphrase): void;
  onEnter(): void;
}

/** A passphrase, twice, and what it is worth. */
export function NewPassphraseFields({ value, onChange, onEnter }: NewPassphraseFieldsProps) {
  const { passphrase, again } = value;
  const isBegun = again !== passphrase && passphrase.startsWith(again);
  const differs = again !== passphrase && !isBegun;
  return (
    <div className={styles.pair}>
      <TextField
        label={text.passphrase}
        type="password"
        value={passphrase}
        onChange={(typed) => onChange({ ...value, passphrase: typed })}
        hint={strengthWords(passphrase)}
        onEnter={onEnter}
        maxLength={1024}
        autoComplete="new-password"
      />
      <TextField
        label={text.passphraseAgain}
        type="password"
        value={again}
        onChange={(typed) => onChange({ ...value, again: typed })}
        onEnter={onEnter}
        hint={isBegun ? (again === '' ? text.againMissing : text.againShort) : undefined}
        problem={differs ? text.passphrasesDiffer : null}
        maxLength={1024}
        autoComplete="new-password"
      />
    </div>
  );
}

function strengthWords(passphrase: string): string {
  if (passphrase === '') return text.passphraseLengths(shortestBundlePassphrase);
  const strength = passphraseStrength(passphrase);
  return strength === 'short' ? text.strengths.short(missingCharacters(passphrase)) : text.strengths[strength];
}
