import { SoupDesk, type SoupReader } from './soup-reader.ts';

/** The reader without a thread, where there are none. */
export function inlineSoupReader(): SoupReader {
  let desk = new SoupDesk();
  return {
    read: async (source) => {
      const mine = new SoupDesk();
      desk = mine;
      const outcome = await mine.read(source);
      return desk === mine ? outcome : null;
    },
    lines: async (from, count) => desk.lines(from, count),
    found: async (from, count) => desk.found(from, count),
    close: () => {
      desk = new SoupDesk();
    },
  };
}
