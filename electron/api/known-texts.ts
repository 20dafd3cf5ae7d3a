import type { Failure } from '../../shared/failure.ts';

/** The few texts of services that decide what is done next: exactly these, and nothing that is merely like them. */
const knownTexts = {
  /**
   * To a comment in the documented form, from a release that reads the form with brackets (docs/services.md,
   * "addcomment").
   */
  bracketsOnly: { status: 400, text: 'missing content parameter' },
} as const;

/** Whether a comment was refused only because this server reads the other form of it. Nothing was stored then. */
export function isBracketsOnly(failure: Failure): boolean {
  const { status, text } = knownTexts.bracketsOnly;
  return failure.kind === 'request-refused' && failure.status === status && failure.text.trim() === text;
}
