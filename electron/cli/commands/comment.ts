import type { CommentThread, ThreadComment } from '../../../shared/domain/comment.ts';
import { defang } from '../../../shared/domain/defang.ts';
import { visibleLine, visibleText } from '../../../shared/domain/visible-text.ts';
import { counted } from '../../../shared/failure-sentence.ts';
import { fail, FailureError } from '../../../shared/failure.ts';
import { checkInput } from '../checked-input.ts';
import { md5Of, neededHash } from '../chosen-samples.ts';
import type { Command, CommandRun } from '../command.ts';
import { type ExitCode, exitCodes, wrongUsage } from '../exit.ts';
import { allInput, fileText } from '../file-input.ts';
import { isGiven, textOf } from '../option-values.ts';
import { reasonOf } from '../reason.ts';
import { type Column, harmlessLine, Records, shownTime } from '../records.ts';

export const comment: Command = {
  name: 'comment',
  summary: 'comment on a sample, or list its comments',
  usage: ['HASH [TEXT] [--reply-to ID]', 'HASH --list [--all]'],
  about:
    'Without TEXT, the comment comes from --file or stdin. A comment that is drafted in Vitrine for the same sample ' +
    'is not changed.',
  examples: [
    "vitrine comment 44d88612fea8a8f36de82e1278abb02f 'Test file, harmless'",
    'vitrine comment 44d88612fea8a8f36de82e1278abb02f --list',
  ],
  flags: {
    file: { value: 'FILE', text: 'text from a file; - for stdin' },
    'reply-to': { value: 'ID', text: 'reply to this comment' },
    list: { text: 'list the comments in the repository' },
    all: { text: 'with --list: of more than 10,000 comments the older ones too' },
  },
  run: async (run) => {
    const [hash, text, ...more] = run.args;
    if (hash === undefined || more.length > 0) wrongUsage('give one hash, and the comment in quotes');
    const asked = neededHash(hash);
    const [isList, isWritten] = [
      isGiven(run.options, 'list'),
      (text ?? textOf(run.options, 'file') ?? textOf(run.options, 'reply-to')) !== null,
    ];
    if (isList && isWritten) wrongUsage('--list takes no comment');
    if (!isList && isGiven(run.options, 'all')) wrongUsage('--all goes with --list');
    if (isList) return listed(run, await md5Of(run, asked));
    const draft = { text: await textGiven(run, text), parentId: textOf(run.options, 'reply-to') };
    const { commentDraft } = await import('../../../shared/domain/comment.ts');
    checkInput(commentDraft, draft, { text: text === undefined ? '--file' : 'TEXT', parentId: '--reply-to' });
    return sent(run, await md5Of(run, asked), draft);
  },
};

async function textGiven({ options, terminal, signal }: CommandRun, text: string | undefined): Promise<string> {
  const file = textOf(options, 'file');
  if (text !== undefined && file !== null) wrongUsage('give the comment as an argument or with --file, not both');
  if (text !== undefined) return text;
  if (file !== null && file !== '-') return fileText({ path: file, option: 'file', signal });
  return allInput(terminal);
}

async function sent(run: CommandRun, md5: string, draft: { text: string; parentId: string | null }): Promise<ExitCode> {
  const workspaceId = await run.workspaceId();
  const { id } = await run.ask('comments.send', { workspaceId, md5, draft, keepsDraft: true });
  const { comments } = await run.ask('comments.thread', { workspaceId, md5 });
  const written = comments.find(({ own }) => own?.id === id) ?? fail({ kind: 'comment-missing', id });
  if (written.own?.failure) {
    run.terminal.complain(
      written.own.state === 'failed'
        ? 'The comment was not sent. It is saved in Vitrine.'
        : 'The comment may have arrived. It is not sent again automatically.',
    );
    throw new FailureError(written.own.failure);
  }
  if (run.terminal.isData)
    await run.terminal.value({ md5, id: written.id, parentId: written.parentId, state: written.own?.state ?? 'sent' });
  else await run.terminal.line(`sent\t${md5}\t${visibleLine(written.id)}`);
  return exitCodes.done;
}

/** The look-up fetches the comments. */
async function listed(run: CommandRun, md5: string): Promise<ExitCode> {
  const workspaceId = await run.workspaceId();
  await run.ask('samples.lookup', { workspaceId, hash: md5 });
  const newest = await run.ask('comments.thread', { workspaceId, md5 });
  const { comments, left } = isGiven(run.options, 'all')
    ? await withOlder(run, workspaceId, md5, newest)
    : keptOnly(newest);
  const records = new Records(run.terminal, columns);
  for (const { comment: one, depth } of inTree({ comments })) {
    if (run.terminal.isJson) await run.terminal.json(one);
    else if (run.terminal.layout === 'table') await shown(run, one, depth);
    else await records.add(one);
  }
  if (!run.terminal.isJson) await records.end();
  if (comments.length === 0) run.terminal.print('No comments.');
  if (left > 0) run.terminal.complain(`${counted(left, 'older comment')} not listed: use --all.`);
  return exitCodes.done;
}

interface Listed {
  comments: ThreadComment[];
  /** How many older ones are not among them. */
  left: number;
}

const keptOnly = ({ comments, omitted: left = 0 }: CommentThread): Listed => ({ comments, left });

/** Those that are not kept are read from the service, some thousands at a time. */
async function withOlder(run: CommandRun, workspaceId: string, md5: string, thread: CommentThread): Promise<Listed> {
  const all = keptOnly(thread);
  while (all.left > 0) {
    const older = await run.ask('comments.older', { workspaceId, md5, before: all.left });
    const came = older.comments.map((one) => ({ ...one, own: null }));
    all.comments = older.isNewestFirst ? [...all.comments, ...came] : [...came, ...all.comments];
    all.left = older.before;
  }
  return all;
}

interface Placed {
  comment: ThreadComment;
  depth: number;
}

/**
 * Puts each reply below the comment it replies to. A reply to a missing comment goes to the top, and a cycle is cut
 * where it is entered.
 */
export function inTree({ comments }: Pick<CommentThread, 'comments'>): Placed[] {
  const ids = new Set(comments.map(({ id }) => id));
  const isTop = ({ id, parentId }: ThreadComment): boolean =>
    parentId === null || parentId === id || !ids.has(parentId);
  const replies = Map.groupBy(
    comments.filter((one) => !isTop(one)),
    ({ parentId }) => parentId,
  );
  const placed = new Map<ThreadComment, number>();
  for (const top of [...comments.filter(isTop), ...comments]) {
    const waiting = [{ comment: top, depth: 0 }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { comment: one, depth } = next;
      if (placed.has(one)) continue;
      placed.set(one, depth);
      waiting.push(...(replies.get(one.id) ?? []).map((reply) => ({ comment: reply, depth: depth + 1 })).toReversed());
    }
  }
  return [...placed].map(([one, depth]) => ({ comment: one, depth }));
}

/** Of a comment of this computer that did not arrive, with the reason. */
function stateOf({ own }: ThreadComment): string | null {
  if (own === null || own.state === 'sent') return null;
  return own.failure === null ? own.state : `${own.state}: ${reasonOf(own.failure)}`;
}

const columns: readonly Column<ThreadComment>[] = [
  { head: 'ID', value: ({ id }) => id },
  { head: 'REPLY TO', value: ({ parentId }) => parentId },
  { head: 'AUTHOR', value: ({ author }) => author },
  { head: 'TIME', value: ({ created }) => (created === null ? null : shownTime(created)) },
  { head: 'STATUS', value: (one) => stateOf(one) ?? 'sent' },
  { head: 'TEXT', value: ({ content }) => content },
];

async function shown({ terminal }: CommandRun, one: ThreadComment, depth: number): Promise<void> {
  const indent = '  '.repeat(Math.min(depth, 20));
  const state = stateOf(one) === null ? '' : `  (${visibleLine(stateOf(one) ?? '')})`;
  await terminal.line(
    harmlessLine(
      `${indent}#${one.id}  ${one.author ?? 'unknown'}  ${one.created === null ? '' : shownTime(one.created)}`,
    ).trimEnd() + state,
  );
  for (const line of defang(visibleText(one.content)).split('\n'))
    await terminal.line(`${indent}  ${line.replaceAll('\t', '  ')}`);
}
