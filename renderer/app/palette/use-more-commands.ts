import { useQueryClient } from '@tanstack/react-query';
import type { PublicationsState } from '../../../shared/domain/publication.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { cutMiddle } from '../../components/format.ts';
import { useToast } from '../../components/toasts.tsx';
import { useAdditions } from '../additions/additions.tsx';
import { text as additionsText } from '../additions/text.ts';
import { useDiagnostics } from '../diagnostics/diagnostics-provider.tsx';
import { useNoteJob } from '../jobs.tsx';
import { useJournalPlace } from '../journal/journal-place.tsx';
import { text as journalText } from '../journal/text.ts';
import { useNavigation } from '../navigation.tsx';
import { useCurrentPublications } from '../publications/use-active-package.ts';
import { recentLookups } from '../recents.ts';
import type { Command } from './commands.ts';
import { usePaletteContext } from './palette-provider.tsx';
import { text } from './text.ts';
import { useTold } from './use-told.ts';
import { useWatchCommands } from './use-watch-commands.ts';

/** What is done seldom, or has its button in a room that is not shown. */
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
  ];
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
  const told = useTold();
  if (state === undefined) return [];
  const waiting = candidateOf(state);
  const check: Command = {
    id: 'rules:check',
    title: text.checkRules,
    keywords: text.checkWords,
    leadsTo: 'publications',
    run: () => {
      openPublications('updates');
      void told('publications.check', { workspaceId: state.workspaceId }, text.checkRules);
    },
  };
  return [
    ...(state.hasRuleEditor && state.check === null ? [check] : []),
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
  const { openRoom } = useNavigation();
  const { note } = useJournalPlace();
  const told = useTold();
  const verify = (): void =>
    void told('journal.verify', {}, text.verifyJournal, (verification) => {
      const { rows, broken } = verification;
      note({ verification });
      toast({
        ...(broken === null
          ? { meaning: 'ok', text: journalText.holds(rows) }
          : { meaning: 'bad', text: journalText.brokenTitle(broken, rows) }),
        action: { text: text.show, act: () => openRoom('journal') },
      });
    });
  return [{ id: 'journal:verify', title: text.verifyJournal, run: verify }];
}

/** Where it is shown how far it is. */
function useBackUpCommand(): Command[] {
  const { openSettings } = useNavigation();
  const note = useNoteJob();
  const told = useTold();
  const backUp = (): void => {
    openSettings('storage');
    void told('storage.backUp', {}, text.backUp, ({ job }) => {
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
  const told = useTold();
  const choose = (): void =>
    void told(
      'host.chooseExportFolder',
      {},
      text.exportFolder,
      () => void client.invalidateQueries({ queryKey: ['host.describe'] }),
    );
  return [
    ...(host?.capabilities.openFolders === true
      ? [
          { id: 'host:data', title: text.openData, run: () => void told('host.openDataFolder', {}, text.openData) },
          { id: 'host:log', title: text.openLog, run: () => void told('host.openLog', {}, text.openLog) },
        ]
      : []),
    ...(host?.capabilities.chooseFolder === true
      ? [{ id: 'host:exports', title: text.exportFolder, run: choose }]
      : []),
  ];
}
