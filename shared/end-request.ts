/**
 * The host's request that a process of its own should end, where the channel between them cannot be closed: Electron
 * tells a utility process nothing when its host lets go of it.
 */
export const endRequest = { kind: 'end' } as const;

export function isEndRequest(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === endRequest.kind;
}
