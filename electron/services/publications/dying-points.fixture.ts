import type { TestPublications } from './publications.fixture.ts';

/**
 * Where an update is cut off: with half of the bytes here; with the container in its place and nothing known of it;
 * with the candidate known; inside of the transaction that makes it the active one; and after it, before what is not
 * kept is removed.
 */
export const dyingPoints = ['fetching', 'received', 'recorded', 'journalled', 'activated'] as const;
export type DyingPoint = (typeof dyingPoints)[number];

/** Calls `die` when the work comes to that point the next time. */
export function dieAt({ packages, stores }: TestPublications, point: DyingPoint, die: () => void): void {
  const { packages: store, journal } = stores;
  const [receive, recordCheck, activate, append] = [
    packages.receive.bind(packages),
    store.recordCheck.bind(store),
    store.activate.bind(store),
    journal.append.bind(journal),
  ];
  const at = <T>(here: DyingPoint, passed: T): T => {
    if (here === point) die();
    return passed;
  };
  packages.receive = async (workspaceId, bytes, limits) =>
    at(
      'received',
      await receive(
        workspaceId,
        halfOf(bytes, () => at('fetching', null)),
        limits,
      ),
    );
  store.recordCheck = (workspaceId, check, found) => at('recorded', recordCheck(workspaceId, check, found));
  store.activate = (workspaceId, sha256) => {
    journal.append = (entry) => at('journalled', append(entry));
    return at('activated', activate(workspaceId, sha256));
  };
}

async function* halfOf(bytes: AsyncIterable<Uint8Array>, seen: () => void): AsyncGenerator<Uint8Array, void, void> {
  let pieces = 0;
  for await (const piece of bytes) {
    yield piece;
    pieces += 1;
    if (pieces === 2) seen();
  }
}
