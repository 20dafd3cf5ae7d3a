import { type FocusEvent, type RefObject, useState } from 'react';

export interface EditedRow {
  /** The file whose fields are reached by Tab. */
  editedId: number | null;
  /** Goes into the fields of the row that has the focus: its tags are written in at once. */
  edit(id: number): void;
  handlers: { onFocus(event: FocusEvent): void; onBlur(event: FocusEvent): void };
}

/** What opens over a field is drawn elsewhere on the page, and belongs to it. */
const overlay = '[data-trigger], [role=dialog], [role=listbox], [role=menu]';

/** One row at a time has its fields in the order of Tab; it ends where the focus goes elsewhere. */
export function useEditedRow(table: RefObject<HTMLElement | null>): EditedRow {
  const [edited, setEdited] = useState<{ id: number; row: Element } | null>(null);
  const edit = (id: number): void => {
    const row = table.current?.querySelector('[data-index]:focus');
    if (!row) return;
    setEdited({ id, row });
    enter(row);
  };
  const onFocus = ({ target }: FocusEvent): void => {
    if (edited === null || table.current?.contains(target) !== true) return;
    const row = target.closest('[data-index]');
    // The row itself again, by Escape, or another one.
    if (row === target || row !== edited.row) setEdited(null);
  };
  const onBlur = ({ relatedTarget }: FocusEvent): void => {
    if (
      relatedTarget instanceof Element &&
      table.current?.contains(relatedTarget) !== true &&
      relatedTarget.closest(overlay) === null
    )
      setEdited(null);
  };
  return { editedId: edited?.id ?? null, edit, handlers: { onFocus, onBlur } };
}

function enter(row: Element): void {
  const tags = row.querySelector<HTMLElement>('[data-tag-field]:not(:disabled)');
  if (tags) return tags.click();
  row.querySelector<HTMLElement>('[data-unlock], button:not(:disabled)')?.focus();
}
