/** What decides whether Electron can show a window here. */
export interface Surroundings {
  platform: NodeJS.Platform;
  /** null where the system has no such number. */
  userId: number | null;
  env: NodeJS.ProcessEnv;
}

/** The reason why Electron cannot start here, in a few words; null where nothing prevents it but a missing runtime. */
export function desktopObstacle({ platform, userId, env }: Surroundings): string | null {
  if (platform !== 'linux') return null;
  if (userId === 0) return 'Electron does not run as root without --no-sandbox, which Vitrine never uses';
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)';
  return null;
}
