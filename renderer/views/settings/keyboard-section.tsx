import { useSettings } from '../../app/use-settings.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import styles from './settings.module.css';
import { text } from './text.ts';

export function KeyboardSection() {
  const { values, change } = useSettings();
  return (
    <>
      <Checkbox isSelected={values.singleLetterKeys} onChange={(singleLetterKeys) => change({ singleLetterKeys })}>{text.singleLetters}</Checkbox>
      <p className={styles.sentence}>{text.singleLettersThen}</p>
    </>
  );
}
