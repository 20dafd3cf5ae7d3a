import { useState } from 'react';
import { labPublication, type LabPublication } from '../../../../shared/domain/lab.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { useAction, useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { ReadFailure } from '../../../components/failure-notice.tsx';
import { RadioChoice } from '../../../components/radio-choice.tsx';
import { TimeText } from '../../../components/service-text.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { usePublicationsPlace } from '../../../features/publications/publications-place.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { DropZone } from '../drop-zone.tsx';
import { FileList } from './file-list.tsx';
import { Outcome } from './outcome.tsx';
import { usePublishFiles } from './publish-files.ts';
import styles from './publish.module.css';
import { text } from './strings.ts';

/** Rules of one's own, published in the lab, so that a workspace finds them with its next check. */
export function PublishTab({ workspaceId }: { workspaceId: string }) {
  const { data: lab, error, refetch } = useOperation('lab.publications', {});
  const publish = useAction('lab.publish');
  const given = usePublishFiles(workspaceId);
  const [{ version, group }, note] = usePublicationsPlace(workspaceId);
  const [today] = useState(() => new Date());
  const asked = version ?? suggestedVersion(lab?.publications.map((each) => each.version) ?? [], today);
  const send = (): void => {
    publish.mutate(
      { files: given.files.map(({ id, path }) => ({ id, path })), version: asked, group },
      {
        onSuccess: ({ published }) => {
          void refetch();
          if (published === null) return;
          given.clear();
          note({ version: null });
        },
      },
    );
  };
  return (
    <div className={classNames(layout.panes, styles.panes)}>
      <DropZone label={text.compose} className={styles.compose} words={text.dropHere} isPane onDrop={given.take}>
        <PublishForm
          version={asked}
          group={group}
          canPublish={given.files.length > 0 && !given.isTaking && !publish.isPending}
          isPublishing={publish.isPending}
          onVersion={(next) => note({ version: next })}
          onGroup={(next) => note({ group: next })}
          onPublish={send}
        />
        <Outcome workspaceId={workspaceId} failure={publish.error} result={publish.data ?? null} />
        <FileList given={given} />
      </DropZone>
      <PublishedList publications={lab?.publications ?? null} failure={error} />
    </div>
  );
}

const groups = [
  { value: 'Release', text: text.groups.Release },
  { value: 'Test', text: text.groups.Test },
] as const;

interface PublishFormProps {
  version: string;
  group: LabPublication['group'];
  canPublish: boolean;
  isPublishing: boolean;
  onVersion(version: string): void;
  onGroup(group: LabPublication['group']): void;
  onPublish(): void;
}

/** What the publication is called, and who is to find it. */
function PublishForm({ version, group, canPublish, isPublishing, onVersion, onGroup, onPublish }: PublishFormProps) {
  const [isTried, setTried] = useState(false);
  const isVersion = labPublication.shape.version.safeParse(version).success;
  const publish = (): void => {
    setTried(true);
    if (isVersion && canPublish) onPublish();
  };
  return (
    <form
      className={classNames(layout.insetLine, layout.inRow, styles.form)}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        publish();
      }}
    >
      <TextField
        label={text.version}
        value={version}
        onChange={onVersion}
        problem={isTried && !isVersion ? text.versionProblem : null}
        maxLength={64}
        autoComplete="off"
        mono
      />
      <div className={styles.groups}>
        <RadioChoice label={text.group} value={group} options={groups} onChange={(next) => onGroup(next)} />
      </div>
      <Button type="submit" look="primary" isDisabled={!canPublish}>
        {isPublishing ? text.publishing : text.publish}
      </Button>
    </form>
  );
}

/** What the lab's rule editor has, newest first; null: not known yet. */
function PublishedList({
  publications,
  failure,
}: {
  publications: readonly LabPublication[] | null;
  failure: Failure | null;
}) {
  return (
    <section className={styles.published} data-pane aria-label={text.list}>
      <h2 className={styles.heading}>{text.list}</h2>
      {failure !== null && (
        <div className={styles.reported}>
          <ReadFailure failure={failure} of="lab.publications" />
        </div>
      )}
      {publications?.length === 0 && <p className={classNames(typography.note, styles.none)}>{text.none}</p>}
      <ul>
        {publications?.map(({ id, version, group, published, files, rules }) => (
          <li key={id} className={classNames(typography.note, styles.publication)}>
            <p className={classNames(layout.flex12, styles.line)}>
              <span className={classNames(typography.figure, typography.ellipsis)}>{visibleText(version)}</span>
              <span>{group}</span>
            </p>
            <p className={classNames(layout.flex12, styles.line)}>
              <TimeText sent={published} />
              <span data-figures>{text.contents(files, rules)}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The day in UTC as a version, `2026.11.18`; where that is taken, with the next number behind it: `2026.11.18.2`. */
export function suggestedVersion(taken: readonly string[], now: Date): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '.');
  const used = new Set(taken);
  let version = day;
  for (let next = 2; used.has(version); next += 1) version = `${day}.${next}`;
  return version;
}
