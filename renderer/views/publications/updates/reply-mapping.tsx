import { type SubmitEvent, useId, useMemo, useState } from 'react';
import { type MappedField, mappedFields, type ReplyMapping as Mapping } from '../../../../shared/domain/publication.ts';
import { type Json, json } from '../../../../shared/domain/sample.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { cutMiddle } from '../../../components/format.ts';
import { isBranch, JsonTree } from '../../../components/json-tree.tsx';
import { useSavedOptions } from '../../../features/publications/options-form.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import surface from '../../../styles/surface.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './dialogs.module.css';
import select from './select-field.module.css';
import { text } from './strings.ts';
import { useUpdates } from './updates-context.tsx';

const unmapped: Mapping = { outdated: null, version: null, id: null };

interface ReplyMappingProps {
  /** JSON text. */
  reply: string;
  mapping: Mapping | null;
  missing: readonly MappedField[];
  onClose(): void;
}

/** The reply as it came, and the meaning of its fields. After saving, it is requested again. */
export function ReplyMapping({ reply, mapping, missing, onClose }: ReplyMappingProps) {
  const { workspaceId, state, check } = useUpdates();
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
            // The reply itself has the empty pointer, and is no field: nothing is chosen.
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

const longestShownPointer = 60;
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
const shownPointer = (pointer: string): string => visibleText(cutMiddle(pointer, longestShownPointer));

/** A value in a reply, and the JSON Pointer (RFC 6901) that leads to it. */
interface ReplyValue {
  pointer: string;
  value: string | number | boolean | null;
}

/** A list to choose from is read by a person; a hostile reply holds more. */
const mostValues = 200;
const deepest = 16;
/** JSON Pointers of a mapping are no longer. */
const longestOfferedPointer = 500;

/** null: the reply is no JSON, or was cut. */
export function readReply(reply: string): Json | null {
  try {
    const read = json.safeParse(JSON.parse(reply));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

/** In the order in which the reply has them. */
export function valuesOf(reply: Json): ReplyValue[] {
  const values: ReplyValue[] = [];
  const open: { pointer: string; value: Json; depth: number }[] = [{ pointer: '', value: reply, depth: 0 }];
  for (let next = open.pop(); next !== undefined && values.length < mostValues; next = open.pop()) {
    const { pointer, value, depth } = next;
    if (!isBranch(value)) values.push({ pointer, value });
    else if (depth < deepest)
      open.push(
        ...entriesOf(value, pointer)
          .map(([at, inner]) => ({ pointer: at, value: inner, depth: depth + 1 }))
          .toReversed(),
      );
  }
  return values;
}

function entriesOf(branch: Json[] | { [key: string]: Json }, pointer: string): [string, Json][] {
  return Object.entries(branch)
    .slice(0, mostValues)
    .map(([name, value]): [string, Json] => [`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, value])
    .filter(([at]) => at.length <= longestOfferedPointer);
}

interface SelectFieldProps {
  label: string;
  value: string;
  options: readonly { value: string; text: string }[];
  onChange(value: string): void;
}

/** One of many, with the browser's own list. */
function SelectField({ label, value, options, onChange }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={classNames(layout.stack4, select.field)}>
      <label className={select.label} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className={classNames(surface.input, select.select)}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}
