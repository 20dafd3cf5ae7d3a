import './browser-database.setup.ts';
import { cleanup } from '@testing-library/react';
import { afterAll, afterEach } from 'vitest';
import { unsavedDrafts } from '../features/comments/draft.ts';
import { recentLookups } from '../features/lookup/lookup-store.tsx';
import { RecentCommands } from '../memory/recents.ts';

// The library does so by itself only where tests are global. What one left drawn was found by the next.
afterEach(cleanup);

/** Files of tests share the page's modules: what it remembers must not reach the next one. */
afterAll(async () => {
  globalThis.localStorage.clear();
  await recentLookups.keepOnly([]);
  await unsavedDrafts.keepOnly([]);
  await new RecentCommands().forgetAll();
});
