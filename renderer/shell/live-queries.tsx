import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { OperationName, OperationOutput } from '../../shared/contract.ts';
import { isFinalJob } from '../../shared/domain/job.ts';
import { isRunningDownload } from '../../shared/domain/sample.ts';
import { visibleText } from '../../shared/domain/visible-text.ts';
import { useEvent } from '../bridge/operations.ts';
import { describeFailure } from '../components/failure-format.ts';
import { nameInSentence } from '../components/format.ts';
import { useToast } from '../components/toasts.tsx';
import { text as caseText } from '../features/case/strings.ts';
import { unsavedDrafts } from '../features/comments/draft.ts';
import { recentLookups, useLookupStore } from '../features/lookup/lookup-store.tsx';
import { useFreshPublications, usePublicationNews } from '../features/publications/publication-news.ts';
import { useLeftNotes } from '../features/sample/kept-note.ts';
import { useWatchNews } from '../features/watch/watched-folder.ts';
import { unsavedUploadComments } from '../memory/unsaved-texts.ts';
import { useNavigation } from '../state/navigation.tsx';
import { showTheme, showTimes, useSettings } from '../state/settings.ts';
import { useWorkspaces } from '../state/workspaces.tsx';
import { text } from './strings.ts';

/** Puts the host's events where the page shows them. Draws nothing. */
export function LiveQueries() {
  useFreshAnswers();
  useLabNews();
  useFreshPublications();
  usePublicationNews();
  useDownloadNews();
  useWatchNews();
  useCaseNews();
  usePrefill();
  useThemeOfSettings();
  useMemoryOfWorkspaces();
  useLeftNotes();
  return null;
}

/** What the table of operations cannot express: an event that refreshes only in a certain state. */
function useFreshAnswers(): void {
  const client = useQueryClient();
  const ask = (...names: OperationName[]): void => {
    for (const name of names) void client.invalidateQueries({ queryKey: [name] });
  };
  // What failed meanwhile may not fail any more.
  useEvent(
    'host.changed',
    () =>
      void client.invalidateQueries({
        predicate: ({ queryKey: [name], state }) => name !== 'host.describe' && state.status === 'error',
      }),
  );
  useEvent('lab.changed', ({ state }) => {
    // A request would start a stopped lab: it would fail, report that, and be repeated.
    if (state === 'running') ask('lab.sampleFiles', 'lab.publications');
  });
  useEvent('job.changed', (job) => {
    if ((job.task.kind !== 'scan' && job.task.kind !== 'hunt') || !isFinalJob(job)) return;
    // A scanned file is not hunted again, and any scan updates the estimate.
    ask('hunts.estimate');
    // Who looked at the job while it ran has read a summary that was none of the end. Where it is shown, it is read
    // anyway.
    void client.invalidateQueries({ queryKey: ['scans.summary', { jobId: job.id }], type: 'inactive' });
  });
}

function useLabNews(): void {
  const toast = useToast();
  /** Restarts shown to the person. Only a lab that runs again is one. */
  const reported = useRef(0);
  /** A lab that cannot start is restarted several times, and that is reported once. */
  const isRestarting = useRef(false);
  const { openSettings } = useNavigation();
  useEvent('lab.changed', (lab) => {
    if (lab.state === 'restarting' && !isRestarting.current) toast({ meaning: 'info', text: text.labStopped });
    isRestarting.current = lab.state === 'restarting';
    if (lab.failure?.kind === 'lab-failed') {
      const act = (): void => openSettings('workspaces');
      toast({ meaning: 'bad', text: describeFailure(lab.failure).what, action: { text: text.showLab, act } });
    }
    if (lab.state !== 'running') return;
    if (lab.restarts > reported.current) toast({ meaning: 'ok', text: text.labRestarted });
    reported.current = lab.restarts;
  });
}

/** A download that ends where its sample is shown is reported there; any other would end in silence. */
function useDownloadNews(): void {
  const toast = useToast();
  const client = useQueryClient();
  const { currentView, shownSample } = useNavigation();
  const { current } = useWorkspaces();
  const { state } = useLookupStore();
  useEvent('download.progress', (download) => {
    const isFound =
      currentView === 'lookup' &&
      state.kind === 'found' &&
      state.workspaceId === download.workspaceId &&
      state.result.asked === download.md5;
    // Its page goes by any of its hashes, and shows the downloads of the current workspace.
    const open =
      currentView === 'library' && current?.id === download.workspaceId
        ? client.getQueryData<OperationOutput<'library.sample'>>(['library.sample', { hash: shownSample }])
        : undefined;
    const isOpen = open?.row.md5 === download.md5;
    if (isRunningDownload(download) || download.state === 'cancelled' || isFound || isOpen) return;
    const name = nameInSentence(download.name || download.md5.slice(0, 12));
    toast(
      download.state === 'failed'
        ? { meaning: 'bad', text: text.notDownloaded(name) }
        : { meaning: 'ok', text: text.downloaded(name) },
    );
  });
}

/** A link from elsewhere fills the field. It is the person who sends. */
function usePrefill(): void {
  const { openView } = useNavigation();
  const { setText } = useLookupStore();
  useEvent('lookup.prefill', ({ md5 }) => {
    setText(md5);
    openView('lookup');
  });
}

function useThemeOfSettings(): void {
  const { values, isKnown } = useSettings();
  useEffect(() => {
    if (isKnown) showTheme(values.theme);
  }, [isKnown, values.theme]);
  useEffect(() => {
    if (isKnown) showTimes(values.times);
  }, [isKnown, values.times]);
}

function useMemoryOfWorkspaces(): void {
  const { workspaces } = useWorkspaces();
  useEffect(() => {
    if (workspaces.length === 0) return;
    const ids = workspaces.map(({ id }) => id);
    void recentLookups.keepOnly(ids);
    void unsavedDrafts.keepOnly(ids);
    unsavedUploadComments.keepOnly(ids);
  }, [workspaces]);
}

/** A damaged sample is found while a case is exported, after the dialog has closed. */
function useCaseNews(): void {
  const toast = useToast();
  useEvent('cases.left', ({ fileName, withoutBytes, failure }) =>
    toast({
      meaning: 'bad',
      text: caseText.leftWithout(visibleText(fileName), withoutBytes, describeFailure(failure).what),
      failure,
    }),
  );
}
