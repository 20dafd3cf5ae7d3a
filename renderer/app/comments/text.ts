import { longestComment } from '../../../shared/domain/comment.ts';

const number = (count: number): string => count.toLocaleString('en');
const most = number(longestComment);

/** English of a sample's conversation. */
export const text = {
  title: 'Comments',
  conversation: 'Conversation',
  none: 'No comments on this sample',
  on: 'on',
  you: 'You',
  toYou: 'you',
  someone: 'no name given',

  reply: 'Reply',
  replyTo: (name: string) => `Reply to ${name}`,
  field: 'Comment',
  to: (name: string) => `to ${name}`,
  toGone: 'to a comment that is not listed any more',
  answerNobody: 'Do not answer anybody',
  placeholder: (name: string) => `Sent as plain text to ${name}`,
  preview: 'Preview',
  previewOf: 'Preview of the comment',
  send: 'Send',
  sendKey: 'Ctrl Enter',
  kept: { host: 'Draft kept', browser: 'Draft kept in this browser only', nowhere: 'Draft not kept' },
  joined: 'Something else was written here in another window',
  joinedThen: 'Both texts are in the field now; nothing was sent.',
  limit: {
    left: (count: number) => `${number(count)} of ${most} characters left`,
    tooMany: (count: number) =>
      `${number(count)} ${count === 1 ? 'character' : 'characters'} over ${most}. Shorten it to send it.`,
    refused: (count: number) =>
      `That would make ${number(count)} characters, and a comment takes ${most}. Nothing was put in.`,
  },
  textKept: 'The text is kept.',
  noSuchAction: 'It takes no comments from here; the text is kept.',

  sending: 'Sending',
  notListedYet: 'Sent, not yet listed by the service',
  notListed: 'Sent; the service lists no comments',
  sendAgain: 'Send again',
  edit: 'Edit',
  discard: 'Discard',
  checkAgain: 'Check again',
  checking: 'Asking the service',
  mayThen: 'It is not sent again by itself, since it could stand there twice. Check whether the service lists it.',
  stillUnknownThen:
    'The service was asked, and it still cannot be told. Check again later; it is not sent again by itself.',
  discardTitle: 'Discard this comment?',
  discardFailed: 'Its text is forgotten. The service does not have it.',
  discardMay: 'Its text is forgotten here. If it has arrived, the service keeps it.',
  keep: 'Keep it',
  discardVerb: 'Discard the comment',

  notSent: (why: string) => `A comment was not sent, and is a draft again: ${why}`,
  told: {
    sent: 'Comment sent',
    failed: (why: string) => `Comment not sent: ${why}`,
    mayHaveArrived: 'The answer was lost: the comment may have arrived',
    arrived: 'The comment has arrived',
    notArrived: (why: string) => `The comment has not arrived: ${why}`,
    stillUnknown: 'It still cannot be told whether it arrived',
  },
} as const;
