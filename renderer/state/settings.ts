import { useQueryClient } from '@tanstack/react-query';
import {
  defaultSettings,
  type SettingName,
  type Settings,
  type Theme,
  type TimeDisplay,
} from '../../shared/domain/settings.ts';
import type { Failure } from '../../shared/failure-kinds.ts';
import { useAction, useOperation } from '../bridge/operations.ts';
import { showTimesIn } from '../components/format.ts';
import { rememberTheme, rememberTimes } from '../memory/preferences.ts';

interface SettingsAccess {
  /** The defaults until the host answers. */
  values: Settings;
  isKnown: boolean;
  damaged: readonly SettingName[];
  /** Why they could not be read. */
  failure: Failure | null;
  change(change: Partial<Settings>): void;
}

export function useSettings(): SettingsAccess {
  const client = useQueryClient();
  const { data, error } = useOperation('settings.read', {});
  // The caller may be gone by the answer, as the palette is: callbacks passed to `mutate` alone are lost then.
  const { mutate } = useAction('settings.change', {
    turn: 'settings.change',
    onDone: () => void client.invalidateQueries({ queryKey: ['settings.read'] }),
  });
  const change = (changes: Partial<Settings>): void => mutate(changes);
  return {
    values: data?.values ?? defaultSettings,
    isKnown: data !== undefined,
    damaged: data?.damaged ?? [],
    failure: error,
    change,
  };
}

/** Shows times so, and remembers it. What is drawn already follows when it is drawn again. */
export function showTimes(times: TimeDisplay): void {
  rememberTimes(times);
  showTimesIn(times);
}

const darkSystem = '(prefers-color-scheme: dark)';
let chosen: Theme = 'system';
let isWatching = false;

/** Puts the theme on the page and remembers it. "System" follows the system from then on. */
export function showTheme(theme: Theme): void {
  chosen = theme;
  rememberTheme(theme);
  paint();
  if (isWatching) return;
  isWatching = true;
  window.matchMedia(darkSystem).addEventListener('change', paint);
}

function paint(): void {
  const system = window.matchMedia(darkSystem).matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = chosen === 'system' ? system : chosen;
}
