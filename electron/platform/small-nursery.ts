import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the part of the heap for new objects as small as it is at first. By itself it doubles up to 2 × 16 MiB and more
 * for each thread, of which none is gained here: what comes and goes in a job are buffers, which lie beside it. A
 * transfer holds 25 MiB less, in the same time. To be called before there is much to collect. V8 looks at this flag
 * each time it would grow (`SemiSpaceNewSpace::Grow`), so it holds from then on. Node lets flags be set at any time,
 * and Electron does in all of its processes that run Node (electron/electron#42414).
 */
export function keepNurserySmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
