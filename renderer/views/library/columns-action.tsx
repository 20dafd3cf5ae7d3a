import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLibraryLayout, useLibraryPlace } from '../../app/library/library-place.tsx';
import { Button, IconButton } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { usualLayout } from '../../memory/library-layout.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import styles from './library.module.css';
import { type ColumnId, columnIds, fixedColumns, orderedColumns, shownColumns, withMoved } from './table/column-ids.ts';
import { text } from './text.ts';

/** Which columns are shown, and in which order. */
export function ColumnsAction() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" onPress={() => setOpen(true)}>
        <Columns3 size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.columnsButton}
      </Button>
      {isOpen && <ColumnsDialog onClose={() => setOpen(false)} />}
    </>
  );
}

/** The columns as they are shown now: those of a saved view, else those of the layout. */
export function useShownColumns(): ColumnId[] {
  const [stored] = useLibraryLayout();
  const [{ columns }] = useLibraryPlace();
  const { order, hidden } = stored;
  return useMemo(
    () =>
      columns === null
        ? shownColumns(order, hidden)
        : shownColumns(
            columns,
            columnIds.filter((id) => !columns.includes(id)),
          ),
    [columns, order, hidden],
  );
}

function ColumnsDialog({ onClose }: { onClose(): void }) {
  const [stored, change] = useLibraryLayout();
  const [{ columns }, note] = useLibraryPlace();
  const shown = useShownColumns();
  const order = orderedColumns(columns ?? stored.order);
  /** What is arranged by hand holds from then on, whichever view was opened. */
  const arrange = (next: readonly ColumnId[], visible: readonly ColumnId[]): void => {
    note({ columns: null });
    change({ order: [...next], hidden: next.filter((id) => !visible.includes(id)) });
  };
  const move = (id: ColumnId, step: 1 | -1): void => arrange(withMoved(order, id, step), shown);
  const reset = (): void => {
    note({ columns: null });
    change({ order: usualLayout.order, hidden: usualLayout.hidden });
  };
  return (
    <Dialog
      title={text.columnsTitle}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={reset}>{text.columnsReset}</Button>
          <Button look="primary" onPress={onClose} takesFocus>
            {text.close}
          </Button>
        </>
      }
    >
      <p>{text.columnsSentence}</p>
      <ul className={layout.stack}>
        {order.map((id, at) => (
          <li key={id} className={classNames(layout.row, styles.column)}>
            <Checkbox
              isSelected={shown.includes(id)}
              isDisabled={fixedColumns.includes(id)}
              onChange={(isShown) => arrange(order, isShown ? [...shown, id] : shown.filter((each) => each !== id))}
            >
              {text.columns[id]}
            </Checkbox>
            <span className={styles.moves}>
              <IconButton label={text.columnUp(text.columns[id])} isDisabled={at === 0} onPress={() => move(id, -1)}>
                <ArrowUp size={14} strokeWidth={1.6} aria-hidden="true" />
              </IconButton>
              <IconButton
                label={text.columnDown(text.columns[id])}
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
