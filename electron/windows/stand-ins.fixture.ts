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

/** Replaces an Electron object that emits; each test adds its methods. */
export function emitter<T extends object>(parts: T): T & EventEmitter {
  return Object.assign(new EventEmitter(), parts);
}
