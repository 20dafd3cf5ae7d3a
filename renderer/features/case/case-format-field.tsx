import { mostCaseSamples } from '../../../shared/domain/case.ts';
import { caseFormat, type CaseFormat } from '../../../shared/domain/job.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { isTooMany } from './case-draft.ts';
import styles from './case.module.css';
import { text } from './strings.ts';

interface CaseFormatFieldProps {
  value: readonly CaseFormat[];
  count: number;
  onChange(formats: readonly CaseFormat[]): void;
}

/** Each with what it is for. A format that takes fewer samples says so before it is chosen. */
export function CaseFormatField({ value, count, onChange }: CaseFormatFieldProps) {
  // In the order of the list, whatever was ticked first.
  const change = (format: CaseFormat, isIn: boolean): void =>
    onChange(caseFormat.options.filter((each) => (each === format ? isIn : value.includes(each))));
  return (
    <div role="group" aria-label={text.formatsLabel}>
      <p className={styles.label} aria-hidden="true">
        {text.formatsLabel}
      </p>
      {caseFormat.options.map((format) => {
        const [name, purpose] = text.formats[format];
        const isDisabled = isTooMany(format, count);
        return (
          <Checkbox
            key={format}
            isSelected={value.includes(format)}
            isDisabled={isDisabled}
            onChange={(isIn) => change(format, isIn)}
          >
            {name} <span className={styles.purpose}>{isDisabled ? text.tooMany(mostCaseSamples) : purpose}</span>
          </Checkbox>
        );
      })}
      {value.length === 0 && (
        <p className={styles.problem} role="alert">
          {text.formatMissing}
        </p>
      )}
    </div>
  );
}
