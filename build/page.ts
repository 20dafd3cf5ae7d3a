import { buildPage } from './build-page.ts';

/**
 * `node build/run.mjs page`: builds the page unless it is up to date, for callers that start the web host without us.
 */
process.exitCode = (await buildPage()) ? 0 : 1;
