import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/text-field.tsx';
import type { OptionsFields } from './options-fields.ts';
import styles from './options.module.css';
import { text } from './strings.ts';

const longestPassword = 128;

export interface PackagePasswordProps {
  password: OptionsFields['password'];
  hasStored: boolean;
  onChange(password: OptionsFields['password']): void;
}

/** Write-only: what is stored never comes to the page, so there is nothing to show but that it is there. */
export function PackagePassword({ password: { intent, typed }, hasStored, onChange }: PackagePasswordProps) {
  if (intent === 'set') {
    return (
      <div className={styles.password}>
        <TextField
          label={text.password}
          type="password"
          value={typed}
          onChange={(next) => onChange({ intent, typed: next })}
          hint={text.passwordHint}
          maxLength={longestPassword}
          autoComplete="off"
          mono
        />
        {hasStored && (
          <Button size="small" look="quiet" onPress={() => onChange({ intent: 'keep', typed: '' })}>
            {text.keepPassword}
          </Button>
        )}
      </div>
    );
  }
  const isCleared = intent === 'clear';
  return (
    <div role="group" aria-label={text.password} className={styles.storedPassword}>
      <span>{isCleared ? text.passwordCleared : text.passwordStored}</span>
      <span className={styles.ways}>
        <Button size="small" onPress={() => onChange({ intent: 'set', typed: '' })}>
          {text.replacePassword}
        </Button>
        <Button size="small" look="quiet" onPress={() => onChange({ intent: isCleared ? 'keep' : 'clear', typed: '' })}>
          {isCleared ? text.keepPassword : text.clearPassword}
        </Button>
      </span>
    </div>
  );
}
