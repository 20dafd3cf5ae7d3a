import { defineConfig, mergeConfig } from 'vite';
import page from '../vite.page.ts';
import { olderPage, olderTargets } from './older-runtime.ts';

/** The page as it is shipped, for the runtime of the tests. */
export default mergeConfig(page, defineConfig({ plugins: [olderPage], build: { target: olderTargets.page } }));
