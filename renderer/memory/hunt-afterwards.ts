const key = 'vitrine.hunt-afterwards';

/** Whether the vault is to be hunted after an update; false when the person never said. */
export function remembersHuntAfterwards(): boolean {
  try {
    return globalThis.localStorage.getItem(key) === 'yes';
  } catch {
    return false;
  }
}

export function rememberHuntAfterwards(isWanted: boolean): void {
  try {
    globalThis.localStorage.setItem(key, isWanted ? 'yes' : 'no');
  } catch {
    // Not remembered; the next update begins without a hunt.
  }
}
