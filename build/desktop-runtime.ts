import { desktopObstacle } from './desktop-obstacle.ts';
import { type ElectronFetch, fetchElectron, findElectron } from './electron-runtime.ts';

/**
 * Electron for this machine, where nothing prevents it; otherwise the reason, in a few words. Without `isFetched`, the
 * network is not used.
 */
export async function desktopRuntime({ isFetched }: { isFetched: boolean }): Promise<ElectronFetch> {
  const obstacle = desktopObstacle({
    platform: process.platform,
    userId: process.getuid?.() ?? null,
    env: process.env,
  });
  if (obstacle !== null) return { ok: false, reason: obstacle };
  const path = findElectron();
  if (path !== null) return { ok: true, path };
  if (!isFetched)
    return {
      ok: false,
      reason: 'there is no Electron runtime on this machine ("npm run e2e -- --project desktop" fetches it)',
    };
  process.stdout.write('Downloading the Electron runtime (once, about 120 MB).\n');
  const fetched = await fetchElectron();
  return fetched.ok
    ? fetched
    : { ok: false, reason: `the Electron runtime could not be downloaded from GitHub (${fetched.reason})` };
}
