import { useId } from 'react';
import {
  longestRuleQuery,
  ruleFields,
  type RuleQueryProblem,
  ruleQuerySentence,
} from '../../../../shared/domain/rule-query.ts';
import { FindField } from '../../../components/find-field.tsx';
import { QueryHelp, QueryProblemLine } from '../../../components/query-parts.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import styles from './rules.module.css';
import { text } from './text.ts';

export interface RuleQueryFieldProps {
  value: string;
  problem: RuleQueryProblem | null;
  /** The query whose rules are shown while this one cannot be read. */
  shown: string;
  onChange(value: string): void;
  /** On to what was found. */
  onDown(): void;
}

const fields = ruleFields.map(({ name, does, example }) => ({
  name: name === 'meta' ? 'meta.KEY' : name,
  does,
  example,
}));

/** The search over rules, with what is wrong with it below, and its fields in a dialog. */
export function RuleQueryField({ value, problem, shown, onChange, onDown }: RuleQueryFieldProps) {
  const id = useId();
  return (
    <>
      <div className={classNames(layout.row4, styles.queryField)}>
        <FindField
          label={text.find}
          placeholder={text.findShort}
          value={value}
          longest={longestRuleQuery + 100}
          {...(problem === null ? {} : { problemId: id })}
          onChange={onChange}
          onDown={onDown}
        />
        <QueryHelp
          title={text.fieldHelp}
          sentence={text.fieldHelpSentence}
          columns={text.fieldHelpColumns}
          fields={fields}
        />
      </div>
      {problem !== null && (
        <div className={styles.queryProblem}>
          <QueryProblemLine id={id} problem={ruleQuerySentence(problem)} shown={shown} allShown={text.allShown} />
        </div>
      )}
    </>
  );
}
