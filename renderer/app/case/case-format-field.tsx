import { mostCaseSamples } from '../../../shared/domain/case.ts';
import { caseFormat, type CaseFormat } from '../../../shared/domain/job.ts';
import { RadioChoice } from '../../components/radio-choice.tsx';
import { isTooMany } from './case-draft.ts';
import styles from './case.module.css';
import { text } from './text.ts';

/** Each with what it is for. What takes fewer samples than are meant is told before it is chosen. */
export function CaseFormatField({ value, count, onChange }: { value: CaseFormat; count: number; onChange(format: CaseFormat): void }) {
  const options = caseFormat.options.map((format) => {
    const [name, purpose] = text.formats[format];
    const isDisabled = isTooMany(format, count);
    return { value: format, isDisabled, text: <>{name} <span className={styles.purpose}>{isDisabled ? text.tooMany(mostCaseSamples) : purpose}</span></> };
  });
  return <RadioChoice label={text.format} value={value} options={options} onChange={onChange} />;
}
