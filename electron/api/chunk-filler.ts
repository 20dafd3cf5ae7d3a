import type { Buffer } from 'node:buffer';

export type Chunk = Uint8Array<ArrayBuffer>;

/** Gathers small pieces of a body into large chunks, each alone in an ArrayBuffer of its own. */
export interface ChunkFiller {
  /** Chunks that can be handed out, oldest first. */
  readonly ready: Chunk[];
  add(data: Buffer): void;
  /** Makes ready what there is, full or not. */
  flush(): void;
}

const chunkBytes = 512 * 1024;
/** A slow transfer hands out what it has after this time, so that progress can be seen. */
const handOutAfterMs = 250;

/** `now` gives milliseconds on a clock that never runs backwards. */
export function createChunkFiller(now: () => number): ChunkFiller {
  const ready: Chunk[] = [];
  let filling: Chunk | null = null;
  let filled = 0;
  let since = 0;

  const flush = (): void => {
    if (filling && filled > 0) ready.push(filled * 2 > chunkBytes ? filling.subarray(0, filled) : filling.slice(0, filled));
    filling = null;
    filled = 0;
  };
  const take = (data: Buffer): number => {
    if (filling === null) since = now();
    filling ??= new Uint8Array(chunkBytes);
    const part = data.subarray(0, chunkBytes - filled);
    filling.set(part, filled);
    filled += part.length;
    if (filled === chunkBytes) flush();
    return part.length;
  };
  return {
    ready,
    flush,
    add: (data) => {
      for (let taken = 0; taken < data.length; ) taken += take(data.subarray(taken));
      if (filling && now() - since >= handOutAfterMs) flush();
    },
  };
}
