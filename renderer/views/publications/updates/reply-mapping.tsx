import { type SubmitEvent, useId, useMemo, useState } from 'react';
import { type MappedField, mappedFields, type ReplyMapping as Mapping } from '../../../../shared/domain/publication.ts';
import type { Json } from '../../../../shared/domain/sample.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useSavedOptions } from '../../../app/publications/options/use-saved-options.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { isBranch } from '../../../components/json-rows.ts';
import { JsonTree } from '../../../components/json-tree.tsx';
import { cutMiddle } from '../../../components/middle-cut.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import surface from '../../../styles/surface.module.css';
import typography from '../../../styles/typography.module.css';
import { readReply, type ReplyValue, valuesOf } from './reply-values.ts';
import { SelectField } from './select-field.tsx';
import { text } from './text.ts';
import { useUpdatesDesk } from './updates-desk.tsx';
import styles from './dialogs.module.css';

const unmapped: Mapping = { outdated: null, version: null, id: null };

export interface ReplyMappingProps {
  /** JSON text. */
  reply: string;
  mapping: Mapping | null;
  missing: readonly MappedField[];
  onClose(): void;
}

/** The reply as it came, and which of its fields mean what. Saved, it is asked again. */
export function ReplyMapping({ reply, mapping, missing, onClose }: ReplyMappingProps) {
  const { workspaceId, state, check } = useUpdatesDesk();
  const { change, isSaving, failure } = useSavedOptions(workspaceId, state);
  const [chosen, choose] = useState(mapping ?? unmapped);
  const form = useId();
  const read = useMemo(() => readReply(reply), [reply]);
  const values = useMemo(() => (read === null ? [] : valuesOf(read)), [read]);
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    const isMapped = mappedFields.some((field) => chosen[field] !== null);
    const asked = (): void => {
      onClose();
      check();
    };
    change({ mapping: isMapped ? chosen : null }, { onSaved: asked });
  };
  return (
    <Dialog
      title={text.mapTitle}
      isOpen
      onClose={onClose}
      wide
      actions={
        <>
          <Button onPress={onClose}>{text.cancel}</Button>
          <Button look="primary" type="submit" form={form} isDisabled={isSaving}>
            {text.saveAndCheck}
          </Button>
        </>
      }
    >
      <p className={typography.sentence}>{text.mapSentence}</p>
      <ShownReply reply={reply} read={read} />
      <form id={form} className={layout.stack12} onSubmit={save}>
        {mappedFields.map((field) => (
          <SelectField
            key={field}
            label={missing.includes(field) ? text.notFound(text.mapFields[field]) : text.mapFields[field]}
            value={chosen[field] ?? ''}
            options={optionsFor(values, chosen[field])}
            // The reply itself has the empty pointer, and stands for no field: nothing is chosen.
            onChange={(pointer) => choose({ ...chosen, [field]: pointer === '' ? null : pointer })}
          />
        ))}
      </form>
      {failure !== null && <FailureNotice failure={failure} />}
    </Dialog>
  );
}

/** An object as a tree, anything else as it is. */
function ShownReply({ reply, read }: { reply: string; read: Json | null }) {
  if (read === null || !isBranch(read)) {
    return (
      <div>
        <p className={typography.sentence}>{text.replyCut}</p>
        <pre className={classNames(typography.asWritten, styles.replyText)}>{visibleText(reply)}</pre>
      </div>
    );
  }
  return (
    <div className={classNames(surface.block, styles.reply)}>
      <JsonTree label={text.reply} value={Array.isArray(read) ? Object.fromEntries(read.entries()) : read} />
    </div>
  );
}

const longestPointer = 60;
const longestValue = 40;

function optionsFor(values: readonly ReplyValue[], chosen: string | null): { value: string; text: string }[] {
  const isThere = chosen === null || values.some(({ pointer }) => pointer === chosen);
  return [
    { value: '', text: text.byName },
    ...(isThere ? [] : [{ value: chosen, text: text.mapMissing(shownPointer(chosen)) }]),
    ...values
      .filter(({ pointer }) => pointer !== '')
      .map(({ pointer, value }) => ({
        value: pointer,
        text: text.mapChoice(shownPointer(pointer), shownValue(value)),
      })),
  ];
}

const shownValue = (value: ReplyValue['value']): string =>
  visibleText(cutMiddle(value === '' ? '""' : String(value), longestValue));
const shownPointer = (pointer: string): string => visibleText(cutMiddle(pointer, longestPointer));
