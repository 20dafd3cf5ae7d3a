import type { FailureKind } from '../../shared/failure.ts';

/**
 * Answers to a POST after which it may have been taken all the same: a gateway gave up, or the reply is none of the
 * service. The record tells.
 */
export const leavesOpen: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'service-failed',
  'empty-reply',
  'html-reply',
  'unreadable-reply',
  'text-around-json',
  'reply-too-large',
]);
