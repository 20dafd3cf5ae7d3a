import { useState } from 'react';
import { usePublicationsPlace } from '../../../app/publications/publications-place.tsx';
import { useAction } from '../../../bridge/use-action.ts';
import { useOperation } from '../../../bridge/use-operation.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import { DropZone } from '../drop-zone.tsx';
import { FileList } from './file-list.tsx';
import { Outcome } from './outcome.tsx';
import { PublishForm } from './publish-form.tsx';
import { PublishedList } from './published-list.tsx';
import styles from './publish.module.css';
import { suggestedVersion } from './suggested-version.ts';
import { text } from './text.ts';
import { usePublishFiles } from './use-publish-files.ts';

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
