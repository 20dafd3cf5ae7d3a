const key = 'vitrine.rail';

/** Whether the person folded the rail; null when they never said. */
export function rememberedRailFold(): boolean | null {
  try {
    const stored = globalThis.localStorage.getItem(key);
    return stored === null ? null : stored === 'folded';
  } catch {
    return null;
  }
}

export function rememberRailFold(isFolded: boolean): void {
  try {
    globalThis.localStorage.setItem(key, isFolded ? 'folded' : 'open');
  } catch {
    // Not remembered; the rail opens by the window's width next time.
  }
}
