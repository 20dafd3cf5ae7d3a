import { VolumeX } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Mute } from '../../../../shared/domain/mute.ts';
import { useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { DataGrid } from '../../../components/data-grid/data-grid.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ReadFailure } from '../../../components/failure-notice.tsx';
import { EditMuteDialog } from '../../../features/mutes/mute-dialogs.tsx';
import { usePublicationsPlace } from '../../../features/publications/publications-place.tsx';
import { useLetterButtons } from '../../../keyboard/view-keys.ts';
import { useNavigation } from '../../../state/navigation.tsx';
import { useSettings } from '../../../state/settings.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { byAttention, muteColumns, MutePane, muteState, text } from './mute-pane.tsx';
import styles from './mutes.module.css';

/** What is muted, why and until when; those whose rule has changed first. */
export function MutesTab({ workspaceId }: { workspaceId: string }) {
  const { data, error } = useOperation('mutes.list', { workspaceId });
  return (
    <>
      {error !== null && (
        <div className={layout.inset}>
          <ReadFailure failure={error} of="mutes.list" />
        </div>
      )}
      {data !== undefined &&
        (data.mutes.length === 0 ? <NoMutes /> : <MutesOf workspaceId={workspaceId} mutes={byAttention(data.mutes)} />)}
    </>
  );
}

function MutesOf({ workspaceId, mutes }: { workspaceId: string; mutes: readonly Mute[] }) {
  const { values } = useSettings();
  const [{ mute: chosenId, mutes: memory }, note] = usePublicationsPlace(workspaceId);
  const [edited, setEdited] = useState<Mute | null>(null);
  const view = useRef<HTMLDivElement>(null);
  const onLetter = useLetterButtons(view);
  const chosen = useShown(mutes, chosenId);
  const shownId = chosen?.id ?? null;
  // The one that is read stays when another becomes the first, and the next one is shown when it is gone.
  useEffect(() => {
    if (shownId !== chosenId) note({ mute: shownId });
  }, [shownId, chosenId, note]);
  const changed = mutes.filter((mute) => muteState(mute) === 'changed').length;
  const onKeyDown = (event: KeyboardEvent): void => {
    const isInPane = event.target instanceof HTMLElement && event.target.closest('[data-mute]') !== null;
    if (event.key === 'Escape' && !event.defaultPrevented && isInPane)
      view.current?.querySelector<HTMLElement>('[role=grid] [tabindex="0"]')?.focus();
    else onLetter(event);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of what is inside
    <div ref={view} className={classNames(layout.panes, styles.panes)} onKeyDown={onKeyDown}>
      <section className={layout.pane} data-pane aria-label={text.list}>
        <p className={classNames(layout.top, typography.note, styles.figures)} role="status" data-figures>
          {text.line(mutes.length, changed)}
        </p>
        <DataGrid
          label={text.list}
          columns={muteColumns}
          count={mutes.length}
          rowAt={(index) => mutes[index]}
          keyOf={({ id }) => id}
          currentKey={shownId}
          onCurrent={({ id }) => note({ mute: id })}
          onOpen={setEdited}
          memory={memory}
          letters={values.singleLetterKeys}
        />
      </section>
      {chosen !== null && (
        <MutePane
          key={chosen.id}
          mute={chosen}
          cameByItself={chosenId !== null && chosenId !== chosen.id}
          onEdit={() => setEdited(chosen)}
        />
      )}
      {edited !== null && <EditMuteDialog mute={edited} onClose={() => setEdited(null)} />}
    </div>
  );
}

/** The one that was chosen; once it is gone, the one in its place. */
function useShown(mutes: readonly Mute[], chosenId: number | null): Mute | null {
  const at = mutes.findIndex(({ id }) => id === chosenId);
  const [place, setPlace] = useState(0);
  if (at >= 0 && at !== place) setPlace(at);
  return mutes[at >= 0 ? at : Math.min(place, mutes.length - 1)] ?? null;
}

function NoMutes() {
  const { openPublications } = useNavigation();
  return (
    <EmptyState
      icon={<VolumeX size={20} strokeWidth={1.6} />}
      title={text.emptyTitle}
      sentence={text.emptySentence}
      action={<Button onPress={() => openPublications('rules')}>{text.emptyAction}</Button>}
    />
  );
}

const none: readonly Mute[] = [];

/** The mutes of a workspace, newest first; none until they are known. */
export function useMutes(workspaceId: string): readonly Mute[] {
  return useOperation('mutes.list', { workspaceId }).data?.mutes ?? none;
}
