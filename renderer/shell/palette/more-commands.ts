import { useQueryClient } from '@tanstack/react-query';
import type { OperationInput, OperationName, OperationOutput } from '../../../shared/contract.ts';
import type { PublicationsState } from '../../../shared/domain/publication.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useOperation } from '../../bridge/operations.ts';
import { cutMiddle } from '../../components/format.ts';
import { useToast } from '../../components/toasts.tsx';
import { useAdditions } from '../../features/additions/additions.tsx';
import { text as additionsText } from '../../features/additions/strings.ts';
import { useDiagnostics } from '../../features/diagnostics/diagnostics.tsx';
import { useJournalPlace } from '../../features/journal/journal-place.tsx';
import { text as journalText } from '../../features/journal/strings.ts';
import { recentLookups } from '../../features/lookup/lookup-store.tsx';
import { useCurrentPublications } from '../../features/publications/publications-place.tsx';
import { useWatchState } from '../../features/watch/watched-folder.ts';
import { type Command, usePaletteContext } from '../../state/commands.tsx';
import { useNoteJob } from '../../state/jobs.tsx';
import { settingsNames, useNavigation } from '../../state/navigation.tsx';
import { settingEntries, settingPlaces } from '../../state/settings-index.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { text } from './strings.ts';

/** What is done seldom, or has its button in a view that is not shown. */
export function useMoreCommands(): Command[] {
  const { recent } = usePaletteContext();
  const clear = (): void => {
    void recentLookups.keepOnly([]);
    void recent.forgetAll();
  };
  return [
    ...useAddCommand(),
    ...useRulesCommands(),
    ...useJournalCommand(),
    ...useBackUpCommand(),
    ...useWatchCommands(),
    ...useHostCommands(),
    ...useDiagnosticsCommand(),
    { id: 'recent:clear', title: text.clearRecent, keywords: text.clearWords, run: clear },
    ...useSettingCommands(),
  ];
}

/** Single settings. One that is called as its section is offered as that section. */
function useSettingCommands(): Command[] {
  const { openSettings } = useNavigation();
  return settingPlaces
    .map((place) => ({ place, ...settingEntries[place] }))
    .filter(({ section, label }) => label !== settingsNames[section])
    .map(({ place, section, label, words }) => ({
      id: `settings:${section}:${place}`,
      title: text.settings(label),
      detail: settingsNames[section],
      keywords: `${words} ${text.settingsWords}`,
      leadsTo: 'settings',
      run: () => openSettings(section, place),
    }));
}

/** Wherever one is. */
function useAddCommand(): Command[] {
  const { show } = useAdditions();
  return [{ id: 'library:add', title: additionsText.title, keywords: additionsText.words, run: show }];
}

const longestVersion = 28;

function useRulesCommands(): Command[] {
  const state = useCurrentPublications();
  const { openPublications } = useNavigation();
  const reported = useReportedCall();
  if (state === undefined) return [];
  const waiting = candidateOf(state);
  const check: Command = {
    id: 'rules:check',
    title: text.checkRules,
    keywords: text.checkWords,
    leadsTo: 'publications',
    run: () => {
      openPublications('updates');
      void reported('publications.check', { workspaceId: state.workspaceId }, text.checkRules);
    },
  };
  return [
    ...((state.rulesFrom === 'publications' || state.rulesFrom === 'export') && state.check === null ? [check] : []),
    ...(waiting === null
      ? []
      : [
          {
            id: 'rules:update',
            title: text.updateTo(waiting),
            keywords: text.updateWords,
            leadsTo: 'publications' as const,
            run: () => openPublications('updates'),
          },
        ]),
  ];
}

function candidateOf({ packages, candidate }: PublicationsState): string | null {
  const waiting = packages.find(({ sha256 }) => sha256 === candidate);
  return waiting === undefined ? null : visibleText(cutMiddle(waiting.version, longestVersion));
}

function useJournalCommand(): Command[] {
  const toast = useToast();
  const { openView } = useNavigation();
  const { note } = useJournalPlace();
  const reported = useReportedCall();
  const verify = (): void =>
    void reported('journal.verify', {}, text.verifyJournal, (verification) => {
      const { rows, broken } = verification;
      note({ verification });
      toast({
        ...(broken === null
          ? { meaning: 'ok', text: journalText.holds(rows) }
          : { meaning: 'bad', text: journalText.brokenTitle(broken, rows) }),
        action: { text: text.show, act: () => openView('journal') },
      });
    });
  return [{ id: 'journal:verify', title: text.verifyJournal, run: verify }];
}

/** Where it is shown how far it is. */
function useBackUpCommand(): Command[] {
  const { openSettings } = useNavigation();
  const note = useNoteJob();
  const reported = useReportedCall();
  const backUp = (): void => {
    openSettings('storage');
    void reported('storage.backUp', {}, text.backUp, ({ job }) => {
      if (job !== null) note(job);
    });
  };
  return [{ id: 'storage:back-up', title: text.backUp, keywords: text.backUpWords, leadsTo: 'settings', run: backUp }];
}

/** Where it is shown what came of it. */
function useDiagnosticsCommand(): Command[] {
  const { openSettings } = useNavigation();
  const { save } = useDiagnostics();
  const run = (): void => {
    openSettings('about');
    save();
  };
  return [
    { id: 'diagnostics:save', title: text.saveDiagnostics, keywords: text.diagnosticsWords, leadsTo: 'settings', run },
  ];
}

/** As far as this host can. */
function useHostCommands(): Command[] {
  const client = useQueryClient();
  const { data: host } = useOperation('host.describe', {});
  const reported = useReportedCall();
  const choose = (): void =>
    void reported(
      'host.chooseExportFolder',
      {},
      text.exportFolder,
      () => void client.invalidateQueries({ queryKey: ['host.describe'] }),
    );
  return [
    ...(host?.capabilities.openFolders === true
      ? [
          { id: 'host:data', title: text.openData, run: () => void reported('host.openDataFolder', {}, text.openData) },
          { id: 'host:log', title: text.openLog, run: () => void reported('host.openLog', {}, text.openLog) },
        ]
      : []),
    ...(host?.capabilities.chooseFolder === true
      ? [{ id: 'host:exports', title: text.exportFolder, run: choose }]
      : []),
  ];
}

/** Turns on and off the folder that was chosen; to choose one, its place is in the settings. */
function useWatchCommands(): Command[] {
  const { openSettings } = useNavigation();
  const { current } = useWorkspaces();
  const { data: state } = useWatchState();
  const reported = useReportedCall();
  const workspaceId = state?.workspaceId ?? current?.id;
  if (state === undefined || state.folder === null || workspaceId === undefined) return [];
  const title = state.isOn ? text.watchOff : text.watchOn;
  const turn = (): void => {
    openSettings('watch');
    void reported('watch.turn', { isOn: !state.isOn, workspaceId }, title);
  };
  return [{ id: 'watch:turn', title, keywords: text.watchWords, leadsTo: 'settings', run: turn }];
}

/** Runs it, and shows why if it fails. */
function useReportedCall(): <N extends OperationName>(
  name: N,
  input: OperationInput<N>,
  what: string,
  onDone?: (output: OperationOutput<N>) => void,
) => Promise<void> {
  const bridge = useBridge();
  const toast = useToast();
  return async (name, input, what, onDone) => {
    const answer = await bridge.call(name, input);
    if (answer.ok) onDone?.(answer.value);
    else toast({ meaning: 'bad', text: text.failed(what, visibleText(sentenceFor(answer.failure).what)) });
  };
}
