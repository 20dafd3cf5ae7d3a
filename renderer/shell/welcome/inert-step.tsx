import { Archive, Lock, Send } from 'lucide-react';
import { text } from './text.ts';
import styles from './welcome.module.css';

const icons = [Lock, Archive, Send] as const;

/** What Vitrine is, and that nothing in it bites. */
export function InertStep() {
  return (
    <>
      <p className={styles.sentence}>{text.inertSentence}</p>
      <ul className={styles.rows}>
        {text.inert.map(({ title, sentence }, index) => {
          const Icon = icons[index] ?? Lock;
          return (
            <li key={title} className={styles.row}>
              <Icon size={16} strokeWidth={1.6} aria-hidden="true" />
              <div>
                <h3 className={styles.rowTitle}>{title}</h3>
                <p className={styles.sentence}>{sentence}</p>
              </div>
            </li>
          );
        })}
      </ul>
    </>
  );
}
