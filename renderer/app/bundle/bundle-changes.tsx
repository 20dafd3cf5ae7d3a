import type { BundleFacts, WorkspaceChanges } from '../../../shared/domain/bundle.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { numberWords, sizeWords } from '../../components/format.ts';
import { SmallTable } from '../../components/small-table.tsx';
import styles from './bundle.module.css';
import { text } from './text.ts';

type Counted = keyof typeof text.count;

interface Row {
  name: string;
  comes: string[];
  stays: string[];
}

export interface BundleChangesTableProps {
  facts: BundleFacts;
  /** Of the workspace it is to go into; null: nobody counted them. */
  there: WorkspaceChanges | null;
}

/** What would come, and what would stay as it is, kind by kind. */
export function BundleChangesTable({ facts, there }: BundleChangesTableProps) {
  return (
    <SmallTable className={styles.changes}>
      <caption className={styles.label}>{text.changes}</caption>
      <thead>
        <tr>
          {text.changeHeads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rowsOf(facts, there).map(({ name, comes, stays }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td data-figures>
              <bdi>{comes.length === 0 ? text.nothing : comes.join(', ')}</bdi>
            </td>
            <td data-figures>
              <bdi>{stays.join(', ')}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </SmallTable>
  );
}

/** Kinds that the bundle has nothing of are left out, but for the samples. */
function rowsOf({ changes, samples, withBytes }: BundleFacts, there: WorkspaceChanges | null): Row[] {
  const { tags, notes, tlps } = changes;
  const rules = there?.rules ?? null;
  const without = samples - withBytes;
  const rows: Row[] = [
    {
      name: text.rows.samples,
      comes: [
        ...(changes.samples.new === 0 ? [] : [text.count.new(numberWords(changes.samples.new))]),
        ...(changes.samples.newBytes === 0 ? [] : [text.newBytes(sizeWords(changes.samples.newBytes))]),
      ],
      stays: [
        ...(changes.samples.same === 0 ? [] : [text.sameSamples(numberWords(changes.samples.same))]),
        ...(without === 0 ? [] : [text.withoutBytes(numberWords(without))]),
        ...counts(changes.samples, ['contradicting']),
      ],
    },
    ...(there === null
      ? []
      : [
          {
            name: text.rows.records,
            comes: counts(there.records, ['new', 'newer']),
            stays: counts(there.records, ['same', 'older', 'contradicting']),
          },
        ]),
    { name: text.rows.tags, comes: counts(tags, ['new']), stays: [] },
    { name: text.rows.notes, comes: counts(notes, ['new', 'added']), stays: counts(notes, ['same']) },
    ...(there === null
      ? []
      : [
          { name: text.rows.comments, comes: counts(there.comments, ['new']), stays: counts(there.comments, ['same']) },
        ]),
    { name: text.rows.tlps, comes: counts(tlps, ['stricter']), stays: counts(tlps, ['same']) },
    {
      name: text.rows.rules,
      comes: rules?.state === 'new' ? [text.rulesNew(visibleLine(rules.version))] : [],
      stays: rules?.state === 'same' ? [text.rulesSame(visibleLine(rules.version))] : [],
    },
  ];
  return rows.filter(({ comes, stays }, at) => at === 0 || comes.length + stays.length > 0);
}

const counts = <C extends Counted>(of: Readonly<Record<C, number>>, names: readonly C[]): string[] =>
  names.flatMap((name) => (of[name] === 0 ? [] : [text.count[name](numberWords(of[name]))]));
