/** What can go wrong with one upload. */
export type UploadFault =
  | ReplyFault
  | RefusedEarly
  /**
   * Takes so many bytes of the body, half of it where nothing is said, and closes the connection. The service sees
   * nothing.
   */
  | { kind: 'cut'; afterBytes?: number }
  /** 200 with an empty body; `arrives`: whether the service behind got the request. */
  | { kind: 'nothing'; arrives: boolean }
  | { kind: 'empty-list'; arrives: boolean }
  /** These parts never reach the service and have an error in the reply, with their MD5 or with `false` for it. */
  | { kind: 'rejects'; md5s: readonly string[] | 'all'; error: string; namesMd5: boolean }
  | { kind: 'login-page' }
  | { kind: 'busy'; retryAfterSeconds: number }
  | { kind: 'unavailable' }
  | { kind: 'delayed'; ms: number }
  /** Takes so many bytes of the body and no more until it is released; then all of it goes its way. */
  | { kind: 'stalled'; afterBytes: number };

/** What can go wrong with one comment. */
export type CommentFault = ReplyFault | { kind: 'no-right' };

type ReplyFault =
  /** Nothing: lets a request through before the next fault. */
  | { kind: 'none' }
  /** The service gets the whole request, and the connection is closed instead of an answer. */
  | { kind: 'swallowed-reply' }
  /** The service gets the whole request; its answer waits until it is released. */
  | { kind: 'held' }
  | { kind: 'forbidden' }
  | { kind: 'token-refused' }
  /** 404 with nothing: a release without the action. */
  | { kind: 'unknown-action' };

/**
 * 413. `closed`: at once, with the connection. `drained`: at once, and the body is thrown away. `read`: when all of the
 * body is there.
 */
interface RefusedEarly {
  kind: 'too-large';
  body: 'closed' | 'drained' | 'read';
}
