import { EventEmitter } from 'node:events';

/** An Electron event whose default can be prevented. */
export function preventable<T extends object>(
  facts: T,
): T & { preventDefault(): void; readonly wasPrevented: boolean } {
  let wasPrevented = false;
  return {
    ...facts,
    preventDefault: () => {
      wasPrevented = true;
    },
    get wasPrevented() {
      return wasPrevented;
    },
  };
}

/** Stands in for an Electron object that emits; what it is told is added by each test. */
export function emitter<T extends object>(parts: T): T & EventEmitter {
  return Object.assign(new EventEmitter(), parts);
}
