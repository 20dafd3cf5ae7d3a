/**
 * `node --import quick-clock.ts ENTRY`: the entry's time can also jump forward. `leapToNextTimer()` in its global
 * scope, for an inspector, runs the next of its longer timers at that timer's time: `Date` shows it. The entry does not
 * know of it. Timers under `leapableMs`, repeated ones, and a steady clock run as usual.
 */
const leapableMs = 10_000;

interface Waiting {
  dueMs: number;
  act(): void;
  end(): void;
}

const waiting = new Map<unknown, Waiting>();
const timeNow = Date.now;
let leaptMs = 0;

Date.now = () => timeNow() + leaptMs;
globalThis.Date = new Proxy(Date, {
  construct: (date, given: unknown[], made) => {
    const time: unknown = Reflect.construct(date, given.length === 0 ? [date.now()] : given, made);
    if (time instanceof date) return time;
    throw new TypeError('a date is none');
  },
});

globalThis.setTimeout = new Proxy(setTimeout, {
  apply: (start, self: unknown, [act, ms = 0, ...rest]: Parameters<typeof setTimeout>) => {
    if (ms < leapableMs) return start.call(self, act, ms, ...rest);
    const acts = (): void => {
      waiting.delete(timer);
      act(...rest);
    };
    const timer = start(acts, ms);
    waiting.set(timer, { dueMs: Date.now() + ms, act: acts, end: () => clearTimeout(timer) });
    return timer;
  },
});

globalThis.clearTimeout = new Proxy(clearTimeout, {
  apply: (end, self: unknown, [timer]: Parameters<typeof clearTimeout>) => {
    waiting.delete(timer);
    return Reflect.apply(end, self, [timer]);
  },
});

/** @returns the time it is then, in milliseconds since 1970 */
function leapToNextTimer(): number {
  const [next] = [...waiting.values()].toSorted((one, other) => one.dueMs - other.dueMs);
  if (next === undefined) throw new Error('nothing waits for a time');
  next.end();
  leaptMs += Math.max(0, next.dueMs - Date.now());
  next.act();
  return Date.now();
}

Object.defineProperty(globalThis, leapToNextTimer.name, { value: leapToNextTimer });
