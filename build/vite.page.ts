import react from '@vitejs/plugin-react';
import { join } from 'node:path';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { licencesModule } from './licences-plugin.ts';
import { pageOut, root } from './paths.ts';

/**
 * `usePress` of react-aria puts a `<style>` into the head, which the page's strict `style-src` refuses. It leaves that
 * out when an element with this id is there, so our stylesheet carries the id, and base.css its one rule.
 */
const pressableStyleId = 'react-aria-pressable-style';

function nameTheStylesheet(): Plugin {
  return {
    name: 'name-the-stylesheet',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html
          .replace('<link rel="stylesheet"', `<link id="${pressableStyleId}" rel="stylesheet"`)
          // The theme is set before the first paint, so that a dark page never flashes white.
          .replace('<script type="module"', '<script type="module" blocking="render"'),
    },
  };
}

/**
 * One script for all that the page needs at once, one for what several of the later views share; each of those also has
 * its own.
 */
const scripts: Rolldown.CodeSplittingOptions = {
  groups: [
    { name: 'page', tags: ['$initial'], priority: 1 },
    { name: 'rooms', minShareCount: 2 },
  ],
};

/**
 * The page: few scripts, one stylesheet, bundled fonts; nothing inline and nothing from the network, so that the CSP
 * can be strict.
 */
export default defineConfig({
  root: join(root, 'renderer'),
  base: './',
  publicDir: false,
  plugins: [react(), nameTheStylesheet(), licencesModule()],
  build: {
    outDir: pageOut,
    emptyOutDir: true,
    target: 'chrome140',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    // What the first script imports is fetched beside it, not after it. Every browser that the page is built for knows
    // the link.
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: scripts } },
    chunkSizeWarningLimit: 1000,
  },
});
