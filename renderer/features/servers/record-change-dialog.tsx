import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  partsOf,
  recordPart,
  type RecordChange,
  type RecordPart,
  type ReplaceableParts,
} from '../../../shared/domain/server-record.ts';
import type { SampleRecord } from '../../../shared/domain/sample.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useAction } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { LongText, TagChip } from '../../components/service-text.tsx';
import { TagField } from '../../components/tag-field/tag-field.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { useTagSuggestions } from '../sample/sample-changes.ts';
import styles from './servers.module.css';
import { text } from './strings.ts';

interface RecordChangeDialogProps {
  workspaceId: string;
  md5: string;
  /** Put into the field of the comment, in place of what the record has. */
  comment?: string;
  /** Tags of this computer alone. */
  localTags: readonly string[];
  onClose(): void;
  /** The record was changed, and reads as it was sent. */
  onChanged?(): void;
}

/** Replaces comment, tags or threat of a record: with what changes, before it is sent. */
export function RecordChangeDialog({ workspaceId, md5, onClose, ...rest }: RecordChangeDialogProps) {
  const { mutate: look, data, error } = useAction('samples.lookup');
  useEffect(() => look({ workspaceId, hash: md5, firstComments: 1 }), [look, workspaceId, md5]);
  if (data !== undefined)
    return <RecordForm workspaceId={workspaceId} md5={md5} record={data.record} onClose={onClose} {...rest} />;
  return (
    <Dialog
      title={text.changeTitle}
      isOpen
      onClose={onClose}
      actions={<Button onPress={onClose}>{text.cancel}</Button>}
    >
      {error === null ? <p role="status">{text.reading}</p> : <FailureNotice failure={error} />}
    </Dialog>
  );
}

function RecordForm({
  workspaceId,
  md5,
  record,
  comment,
  localTags,
  onClose,
  onChanged,
}: RecordChangeDialogProps & { record: SampleRecord }) {
  const { workspaces } = useWorkspaces();
  const client = useQueryClient();
  const toast = useToast();
  const [before] = useState(() => partsOf(record));
  const [now, setNow] = useState(() => ({ ...before, ...(comment !== undefined && { comment }) }));
  const { mutate, isPending, error, data } = useAction('servers.changeRecord');
  const changed = changedParts(before, now, record);
  const put = (change: RecordChange): void => setNow((parts) => withChange(parts, change));
  const send = (): void =>
    mutate(
      { workspaceId, md5, change: changeOf(now, changed), basedOn: before },
      {
        onSuccess: ({ altered }) => {
          for (const name of ['library.sample', 'comments.thread']) void client.invalidateQueries({ queryKey: [name] });
          if (altered.length > 0) return;
          toast({ meaning: 'ok', text: text.changed });
          onChanged?.();
          onClose();
        },
      },
    );
  return (
    <Dialog
      title={text.changeTitle}
      isOpen
      wide
      staysOnClickBeside
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose} takesFocus>
            {data === undefined ? text.cancel : text.close}
          </Button>
          <Button look="primary" isDisabled={changed.length === 0 || isPending || data !== undefined} onPress={send}>
            {text.send}
          </Button>
        </>
      }
    >
      <p className={typography.sentence}>
        <bdi>{text.receiver(visibleText(workspaces.find(({ id }) => id === workspaceId)?.name ?? ''))}</bdi>
      </p>
      {record.locked === true && (
        <Notice meaning="warn" title={text.locked}>
          {text.lockedThen}
        </Notice>
      )}
      <RecordFields record={record} now={now} localTags={localTags} onPut={put} />
      <Changes before={before} now={now} changed={changed} />
      {error && <FailureNotice failure={error} />}
      {data !== undefined && data.altered.length > 0 && (
        <Notice meaning="warn" title={text.altered} isAlert>
          {text.alteredThen(data.altered.map((part) => text.parts[part]).join(', '))}
        </Notice>
      )}
    </Dialog>
  );
}

interface RecordFieldsProps {
  record: SampleRecord;
  now: ReplaceableParts;
  localTags: readonly string[];
  onPut(change: RecordChange): void;
}

function RecordFields({ record, now, localTags, onPut: put }: RecordFieldsProps) {
  const suggestions = useTagSuggestions();
  const missing = localTags.filter((tag) => !now.tags.includes(tag));
  return (
    <>
      {record.listsComments ? (
        <p className={typography.aside}>{text.hasThreads}</p>
      ) : (
        <TextField label={text.comment} rows={3} value={now.comment} onChange={(typed) => put({ comment: typed })} />
      )}
      <TagField
        label={text.tags}
        tags={now.tags}
        placeholder={text.tagPlaceholder}
        {...suggestions}
        onAdd={(tag) => put({ tags: [...now.tags.filter((one) => one !== tag), tag] })}
        onRemove={(tag) => put({ tags: now.tags.filter((one) => one !== tag) })}
        onTlp={(level) => put({ tags: [...now.tags.filter((one) => !one.startsWith('tlp:')), `tlp:${level}`] })}
      />
      {missing.length > 0 && (
        <div>
          <Button size="small" onPress={() => put({ tags: [...now.tags, ...missing] })}>
            {text.ownTags(missing.length)}
          </Button>
        </div>
      )}
      <TextField label={text.threat} value={now.threat} onChange={(threat) => put({ threat })} />
    </>
  );
}

interface ChangesProps {
  before: ReplaceableParts;
  now: ReplaceableParts;
  changed: readonly RecordPart[];
}

const charactersShown = 300;

function Changes({ before, now, changed }: ChangesProps) {
  if (changed.length === 0) return <p className={typography.aside}>{text.nothingChanged}</p>;
  return (
    <section aria-label={text.changes} className={layout.stack8}>
      {changed.map((part) => (
        <dl key={part} className={classNames(layout.grid12, styles.change)}>
          <dt className={styles.part}>{text.parts[part]}</dt>
          <dd>
            <p className={typography.hint}>{text.before}</p>
            <Value of={before} part={part} />
          </dd>
          <dd>
            <p className={typography.hint}>{text.after}</p>
            <Value of={now} part={part} />
          </dd>
        </dl>
      ))}
    </section>
  );
}

function Value({ of, part }: { of: ReplaceableParts; part: RecordPart }) {
  if (part === 'tags')
    return of.tags.length === 0 ? (
      <span className={typography.muted}>{text.empty}</span>
    ) : (
      <span className={layout.wrap4}>
        {of.tags.map((tag) => (
          <TagChip key={tag} tag={tag} isForeign />
        ))}
      </span>
    );
  return of[part] === '' ? (
    <span className={typography.muted}>{text.empty}</span>
  ) : (
    <bdi className={typography.asWritten}>
      <LongText text={visibleText(of[part])} charactersShown={charactersShown} />
    </bdi>
  );
}

/** To the letter: what is the same to a comparison of records, such as an entity, may be what is to be changed. */
const changedParts = (before: ReplaceableParts, now: ReplaceableParts, { listsComments }: SampleRecord): RecordPart[] =>
  recordPart.options.filter(
    (part) => before[part].toString() !== now[part].toString() && !(part === 'comment' && listsComments),
  );

const changeOf = (now: ReplaceableParts, changed: readonly RecordPart[]): RecordChange => ({
  ...(changed.includes('comment') && { comment: now.comment }),
  ...(changed.includes('tags') && { tags: now.tags }),
  ...(changed.includes('threat') && { threat: now.threat }),
});

const withChange = (
  parts: ReplaceableParts,
  { comment = parts.comment, tags = parts.tags, threat = parts.threat }: RecordChange,
): ReplaceableParts => ({ comment, tags, threat });
