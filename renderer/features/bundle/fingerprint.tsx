import { CopyIcon } from '../../components/copy-button.tsx';
import styles from './bundle.module.css';
import { text } from './strings.ts';

/** A whole fingerprint, in groups that can be read over a phone. */
export function Fingerprint({ value }: { value: string }) {
  const groups = value.match(/.{1,8}/g) ?? [];
  return (
    <span className={styles.fingerprint}>
      <code>
        {groups.map((group, at) => (
          <span key={at}>{group} </span>
        ))}
      </code>
      <CopyIcon text={value} label={text.copyFingerprint} />
    </span>
  );
}
