import './browser-database.setup.ts';
import { afterAll } from 'vitest';
import { unsavedDrafts } from '../app/comments/use-kept-draft.ts';
import { recentLookups } from '../app/recents.ts';
import { RecentCommands } from '../memory/recent-commands.ts';

/** Files of tests share the page's modules: what it remembers must not reach the next one. */
afterAll(async () => {
  globalThis.localStorage.clear();
  await recentLookups.keepOnly([]);
  await unsavedDrafts.keepOnly([]);
  await new RecentCommands().forgetAll();
});
