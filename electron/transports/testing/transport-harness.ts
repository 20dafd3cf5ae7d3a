import type { Fakes } from './fakes.ts';

/** Senders that are not our own page in a session of ours. Each transport has its own form of every one. */
export const strangers = [
  'untrusted sender',
  'no key',
  'wrong key',
  'used link',
  'foreign host',
  'foreign origin',
] as const;
export type Stranger = (typeof strangers)[number];

export interface StrangerTry {
  /** What this means on this transport. */
  form: string;
  /** Tries the call `library.count`; its answer as it came. */
  call(): Promise<unknown>;
  /** The failure kind due. */
  refusedAs: 'sender-refused' | 'session-missing' | 'session-refused' | 'link-used';
}

/** One transport, seen from the page. Answers are as they came over, unchecked. */
export interface TransportHarness {
  fakes: Fakes;
  call(name: string, input: unknown): Promise<unknown>;
  /** Stages a file of that name and content. */
  stage(name: string, content: Uint8Array): Promise<unknown>;
  /** Connects one more page; resolves when it listens. `next` waits for an event, as `{ name, payload }`. */
  listen(): Promise<{ next(): Promise<unknown> }>;
  strangers: Record<Stranger, StrangerTry>;
  close(): Promise<void>;
}
