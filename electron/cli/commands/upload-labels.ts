import { commentText } from '../../../shared/domain/comment.ts';
import { forbidsThirdParties, type TlpLevel, tlpLevels } from '../../../shared/domain/tag.ts';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import { fail } from '../../../shared/failure.ts';
import { checkInput, tagsOf } from '../checked-input.ts';
import type { CommandRun } from '../command.ts';
import { wrongUsage } from '../exit.ts';
import { allInput, fileText } from '../file-input.ts';
import { choiceOf, isGiven, textOf } from '../option-values.ts';

/** What goes with each file of an upload. Flags are off unless they were given. */
export interface UploadLabels {
  tags: string[];
  tlp: TlpLevel | null;
  comment: string;
  virusTotal: boolean;
  sandbox: boolean;
}

export async function uploadLabels(run: CommandRun): Promise<UploadLabels> {
  const { options } = run;
  const comment = await commentOf(run);
  checkInput(commentText, comment, { '': textOf(options, 'comment') === null ? '--comment-file' : '--comment' });
  return {
    tags: tagsOf(options, 'tag'),
    tlp: choiceOf(options, 'tlp', tlpLevels),
    comment,
    virusTotal: isGiven(options, 'virus-total'),
    sandbox: isGiven(options, 'sandbox'),
  };
}

const labelNames = ['tag', 'tlp', 'comment', 'virus-total', 'sandbox'] as const;

export type LabelName = (typeof labelNames)[number];

/** Those that were given, by the names of their options. */
export function givenLabels({ tags, tlp, comment, virusTotal, sandbox }: UploadLabels): LabelName[] {
  const isGivenOne = {
    tag: tags.length > 0,
    tlp: tlp !== null,
    comment: comment !== '',
    'virus-total': virusTotal,
    sandbox,
  };
  return labelNames.filter((name) => isGivenOne[name]);
}

/** Who gets flagged files besides the repository, in this team's words. */
export function thirdParties({ virusTotal, sandbox }: UploadLabels, { receivers }: WorkspaceView['options']): string[] {
  return [...(virusTotal ? [receivers.virusTotal] : []), ...(sandbox ? [receivers.sandbox] : [])];
}

/** @throws FailureError `third-party-refused` where the TLP does not allow the receivers */
export function refuseThirdParties(tlp: TlpLevel | null, receivers: readonly string[]): void {
  if (tlp !== null && forbidsThirdParties(tlp) && receivers.length > 0)
    fail({ kind: 'third-party-refused', tlp: `TLP:${tlp.toUpperCase()}`, receiver: receivers.join(', ') });
}

async function commentOf({ options, terminal, signal }: CommandRun): Promise<string> {
  const [text, file] = [textOf(options, 'comment'), textOf(options, 'comment-file')];
  if (text !== null && file !== null) wrongUsage('give --comment or --comment-file, not both');
  if (file === null) return text ?? '';
  return file === '-' ? allInput(terminal) : fileText({ path: file, option: 'comment-file', signal });
}
