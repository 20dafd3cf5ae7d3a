import { CircleQuestionMark, TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { longestRuleQuery, ruleFields, type RuleQueryProblem, ruleQuerySentence } from '../../../../shared/domain/rule-query.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { FindField } from '../../../components/find-field.tsx';
import styles from './rule-query-field.module.css';
import { text } from './text.ts';

export interface RuleQueryFieldProps {
  value: string;
  problem: RuleQueryProblem | null;
  onChange(value: string): void;
  /** On to what was found. */
  onDown(): void;
}

/** The search over rules, with what is wrong with it below, and its fields in a dialog. */
export function RuleQueryField({ value, problem, onChange, onDown }: RuleQueryFieldProps) {
  const id = useId();
  return (
    <div className={styles.whole}>
      <div className={styles.line}>
        <FindField
          label={text.find}
          placeholder={text.findShort}
          value={value}
          longest={longestRuleQuery + 100}
          {...(problem === null ? {} : { problemId: id })}
          onChange={onChange}
          onDown={onDown}
        />
        <FieldHelp />
      </div>
      {problem !== null && <Problem id={id} problem={problem} />}
    </div>
  );
}

function Problem({ id, problem }: { id: string; problem: RuleQueryProblem }) {
  const { what, example } = ruleQuerySentence(problem);
  return (
    <p id={id} className={styles.problem} role="status">
      <TriangleAlert size={14} strokeWidth={1.6} aria-hidden="true" />
      <span><bdi>{visibleText(what)}</bdi> {text.forExample} <code>{visibleText(example)}</code></span>
    </p>
  );
}

function FieldHelp() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label={text.fieldHelp} onPress={() => setOpen(true)}><CircleQuestionMark size={14} strokeWidth={1.6} aria-hidden="true" /></IconButton>
      <Dialog title={text.fieldHelp} isOpen={isOpen} onClose={() => setOpen(false)} wide actions={<Button onPress={() => setOpen(false)} takesFocus>{text.close}</Button>}>
        <p>{text.fieldHelpSentence}</p>
        <table className={styles.help}>
          <thead><tr>{text.fieldHelpColumns.map((title) => <th key={title} scope="col">{title}</th>)}</tr></thead>
          <tbody>
            {ruleFields.map(({ name, does, example }) => (
              <tr key={name}>
                <th scope="row"><code>{name === 'meta' ? 'meta.KEY' : name}:</code></th>
                <td>{does}</td>
                <td><code>{example}</code></td>
              </tr>
            ))}
          </tbody>
        </table>
      </Dialog>
    </>
  );
}
