import { HashReading, type HashReader } from './hash-reader.ts';

/** The reader without a thread, where there are none. */
export function inlineHashReader(): HashReader {
  let store = new HashReading();
  return {
    read: async (source) => {
      const mine = new HashReading();
      store = mine;
      const outcome = await mine.read(source);
      return store === mine ? outcome : null;
    },
    lines: async (from, count) => store.lines(from, count),
    found: async (from, count) => store.found(from, count),
    close: () => {
      store = new HashReading();
    },
  };
}
