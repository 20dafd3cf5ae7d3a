import { visibleText } from '../../../shared/domain/visible-text.ts';
import { cutMiddle } from '../../components/format.ts';
import { jobStateWords, jobTitle } from '../../components/jobs/job-format.ts';
import { useJobs } from '../jobs.tsx';
import { useNavigation } from '../navigation.tsx';
import { useSettings } from '../use-settings.ts';
import { useSwitchWorkspace } from '../use-switch-workspace.ts';
import { useWorkspaces } from '../use-workspaces.ts';
import type { Command, CommandsBySection } from './commands.ts';
import { text } from './text.ts';

const longestName = 48;
const themes = ['light', 'dark', 'system'] as const;

/** The ways into other workspaces, to jobs, and to another theme. */
export function useDeskCommands(): CommandsBySection {
  return { workspaces: useWorkspaceCommands(), jobs: useJobCommands(), appearance: useThemeCommands() };
}

function useWorkspaceCommands(): Command[] {
  const { workspaces, current } = useWorkspaces();
  const switchTo = useSwitchWorkspace();
  return workspaces
    .filter(({ id }) => id !== current?.id)
    .map(({ id, name }) => ({
      id: `workspace:${id}`,
      title: text.switchTo(visibleText(cutMiddle(name, longestName))),
      keywords: text.workspaceWords,
      run: () => switchTo(id),
    }));
}

function useJobCommands(): Command[] {
  const { openJob } = useNavigation();
  return useJobs().map((job) => ({
    id: `job:${job.id}`,
    title: text.job(job.id, jobTitle(job)),
    detail: jobStateWords(job),
    keywords: text.jobWords,
    leadsTo: 'activity',
    run: () => openJob(job.id),
  }));
}

function useThemeCommands(): Command[] {
  const { values, change } = useSettings();
  return themes.map((theme) => ({
    id: `theme:${theme}`,
    title: text.themes[theme],
    keywords: text.themeWords,
    ...(values.theme === theme ? { detail: text.current } : {}),
    run: () => change({ theme }),
  }));
}
