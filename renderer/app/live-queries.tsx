import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { OperationName } from '../../shared/contract.ts';
import { useEvent } from '../bridge/use-event.ts';
import { useToast } from '../components/toasts.tsx';
import { recentLookups } from './recents.ts';
import { showTheme } from './theme.ts';
import { text } from './text.ts';
import { useLookupDesk } from './lookup-desk.tsx';
import { useNavigation } from './navigation.tsx';
import { useSettings } from './use-settings.ts';
import { useWorkspaces } from './use-workspaces.ts';

/** What the host tells by itself, put where the page shows it. Draws nothing. */
export function LiveQueries() {
  useFreshAnswers();
  useLabNews();
  usePrefill();
  useThemeOfSettings();
  useRecentsOfWorkspaces();
  return null;
}

function useFreshAnswers(): void {
  const client = useQueryClient();
  const ask = (...names: OperationName[]): void => {
    for (const name of names) void client.invalidateQueries({ queryKey: [name] });
  };
  useEvent('workspaces.changed', () => ask('workspaces.list', 'settings.read', 'library.count'));
  useEvent('library.changed', () => ask('library.count', 'samples.history'));
  useEvent('secrets.changed', () => ask('host.describe', 'workspaces.list'));
  useEvent('lab.changed', () => ask('host.describe', 'lab.specimens'));
}

function useLabNews(): void {
  const toast = useToast();
  const restarts = useRef(0);
  useEvent('lab.changed', (lab) => {
    if (lab.state === 'restarting') toast({ meaning: 'info', text: text.labStopped });
    if (lab.state === 'running' && lab.restarts > restarts.current) toast({ meaning: 'ok', text: text.labRestarted });
    restarts.current = lab.restarts;
  });
}

/** A link from elsewhere fills the field. It is the person who sends. */
function usePrefill(): void {
  const { openRoom } = useNavigation();
  const { setText } = useLookupDesk();
  useEvent('lookup.prefill', ({ md5 }) => {
    setText(md5);
    openRoom('lookup');
  });
}

function useThemeOfSettings(): void {
  const { values, isKnown } = useSettings();
  useEffect(() => {
    if (isKnown) showTheme(values.theme);
  }, [isKnown, values.theme]);
}

function useRecentsOfWorkspaces(): void {
  const { workspaces } = useWorkspaces();
  useEffect(() => {
    if (workspaces.length > 0) void recentLookups.keepOnly(workspaces.map(({ id }) => id));
  }, [workspaces]);
}
