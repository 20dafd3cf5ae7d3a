import { HashReading, type HashReader } from './hash-reader.ts';

/** The reader without a thread, where there are none. */
export function inlineHashReader(): HashReader {
  let desk = new HashReading();
  return {
    read: async (source) => {
      const mine = new HashReading();
      desk = mine;
      const outcome = await mine.read(source);
      return desk === mine ? outcome : null;
    },
    lines: async (from, count) => desk.lines(from, count),
    found: async (from, count) => desk.found(from, count),
    close: () => {
      desk = new HashReading();
    },
  };
}
