import { CircleQuestionMark, Info, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { visibleText } from '../../shared/domain/visible-text.ts';
import { classNames } from '../styles/class-names.ts';
import typography from '../styles/typography.module.css';
import { Button, IconButton } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { cutMiddle } from './format.ts';
import styles from './query-parts.module.css';

/** Characters of a query that are quoted. */
const longestQuoted = 40;

/** English texts that every query field shows. */
const text = {
  forExample: 'For example:',
  stillShown: (query: string) => `Showing results for ${query}.`,
  close: 'Close',
} as const;

interface QueryProblemProps {
  /** The field is described by it. */
  id: string;
  problem: { what: string; example: string };
  /** The part of the query that is meant, in front of the words. */
  quoted?: ReactNode;
  /** The query whose results are still shown; null: there are none. */
  shown: string | null;
  /** What the results of the empty query are. */
  allShown: string;
  /** The person may still be typing it: nothing is wrong yet. */
  isCalm?: boolean;
  /** What repairs it. */
  action?: ReactNode;
}

/** Shows why a query cannot be read, and which results are shown meanwhile. */
export function QueryProblemLine({
  id,
  problem: { what, example },
  quoted = null,
  shown,
  allShown,
  isCalm = false,
  action = null,
}: QueryProblemProps) {
  const Icon = isCalm ? Info : TriangleAlert;
  return (
    <p id={id} className={classNames(isCalm ? typography.hint : typography.problem, styles.problem)} role="status">
      <Icon size={14} strokeWidth={1.6} aria-hidden="true" />
      <span>
        {quoted}
        <bdi>{visibleText(what)}</bdi> {text.forExample} <code>{visibleText(example)}</code>
        {shown !== null && (
          <>. {shown.trim() === '' ? allShown : text.stillShown(visibleText(cutMiddle(shown.trim(), longestQuoted)))}</>
        )}
      </span>
      {action}
    </p>
  );
}

interface QueryHelpProps {
  title: string;
  sentence: string;
  columns: readonly string[];
  fields: readonly { name: string; does: string; example: string }[];
  /** What joins terms, above the fields. */
  operators?: readonly { name: string; does: string; example: string }[];
}

/** A button that lists the fields of a query, each with an example. */
export function QueryHelp({ title, sentence, columns, fields, operators = [] }: QueryHelpProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label={title} onPress={() => setOpen(true)}>
        <CircleQuestionMark size={14} strokeWidth={1.6} aria-hidden="true" />
      </IconButton>
      <Dialog
        title={title}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        wide
        actions={
          <Button onPress={() => setOpen(false)} takesFocus>
            {text.close}
          </Button>
        }
      >
        <p>{sentence}</p>
        <table className={styles.help}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...operators, ...fields.map((field) => ({ ...field, name: `${field.name}:` }))].map(
              ({ name, does, example }) => (
                <tr key={name}>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  <td>{does}</td>
                  <td>
                    <code>{example}</code>
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </Dialog>
    </>
  );
}
