import { firstLoad, gzippedBytes } from './first-load.ts';
import { pageOut } from './paths.ts';

/** `node build/run.mjs page-weight`: how many bytes of gzipped script the built page loads before it draws. */
process.stdout.write(`${gzippedBytes(pageOut, firstLoad(pageOut))}\n`);
