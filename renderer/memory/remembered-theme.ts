import { theme, type Theme } from '../../shared/domain/settings.ts';

const key = 'vitrine.theme';

/** The theme of the last page, known before the host has answered, so that the first paint is right. */
export function rememberedTheme(): Theme {
  const read = theme.safeParse(storage()?.getItem(key));
  return read.success ? read.data : 'system';
}

export function rememberTheme(chosen: Theme): void {
  try {
    storage()?.setItem(key, chosen);
  } catch {
    // A full or forbidden storage costs one wrong first paint, and nothing else.
  }
}

function storage(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}
