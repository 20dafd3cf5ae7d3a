import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import { Button, IconButton } from '../button.tsx';
import { Checkbox } from '../checkbox.tsx';
import { Dialog } from '../dialog.tsx';
import { withMoved } from './grid-column.ts';
import styles from './columns-button.module.css';

const text = {
  button: 'Columns…',
  title: 'Columns',
  sentence: 'Choose and order the columns. Some are hidden in a narrow window.',
  up: (column: string) => `Move ${column} up`,
  down: (column: string) => `Move ${column} down`,
  reset: 'Reset to defaults',
  close: 'Close',
} as const;

/** Ids of columns. */
export interface ColumnLayout {
  order: string[];
  hidden: string[];
}

interface ColumnsProps<Id extends string> {
  titles: Readonly<Record<Id, string>>;
  /** Every column once. */
  order: readonly Id[];
  shown: readonly Id[];
  /** They cannot be hidden. */
  fixed: readonly Id[];
  onArrange(layout: ColumnLayout): void;
  onReset(): void;
}

/** Which columns are shown, and in which order. */
export function ColumnsButton<Id extends string>({
  size = 'normal',
  ...columns
}: ColumnsProps<Id> & { size?: 'normal' | 'small' }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" size={size} onPress={() => setOpen(true)}>
        <Columns3 size={14} strokeWidth={1.6} aria-hidden="true" />
        <span data-label>{text.button}</span>
      </Button>
      {isOpen && <ColumnsDialog {...columns} onClose={() => setOpen(false)} />}
    </>
  );
}

function ColumnsDialog<Id extends string>({
  titles,
  order,
  shown,
  fixed,
  onArrange,
  onReset,
  onClose,
}: ColumnsProps<Id> & { onClose(): void }) {
  const arrange = (next: readonly Id[], visible: readonly Id[]): void =>
    onArrange({ order: [...next], hidden: next.filter((id) => !visible.includes(id)) });
  const move = (id: Id, step: 1 | -1): void => arrange(withMoved(order, id, step), shown);
  return (
    <Dialog
      title={text.title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onReset}>{text.reset}</Button>
          <Button look="primary" onPress={onClose} takesFocus>
            {text.close}
          </Button>
        </>
      }
    >
      <p>{text.sentence}</p>
      <ul className={layout.stack}>
        {order.map((id, at) => (
          <li key={id} className={classNames(layout.row, styles.column)}>
            <Checkbox
              isSelected={shown.includes(id)}
              isDisabled={fixed.includes(id)}
              onChange={(isShown) => arrange(order, isShown ? [...shown, id] : shown.filter((each) => each !== id))}
            >
              {titles[id]}
            </Checkbox>
            <span className={styles.moves}>
              <IconButton label={text.up(titles[id])} isDisabled={at === 0} onPress={() => move(id, -1)}>
                <ArrowUp size={14} strokeWidth={1.6} aria-hidden="true" />
              </IconButton>
              <IconButton
                label={text.down(titles[id])}
                isDisabled={at === order.length - 1}
                onPress={() => move(id, 1)}
              >
                <ArrowDown size={14} strokeWidth={1.6} aria-hidden="true" />
              </IconButton>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
