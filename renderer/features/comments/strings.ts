import { longestComment } from '../../../shared/domain/comment.ts';

const number = (count: number): string => count.toLocaleString('en');
const most = number(longestComment);

/** English of a sample's conversation. */
export const text = {
  title: 'Comments',
  conversation: 'Conversation',
  none: 'No comments on this sample',
  of: (count: number, all: number) => `${number(count)} of ${number(all)}`,
  notKept: (count: number) =>
    count === 1
      ? '1 older comment is not saved on this computer.'
      : `${number(count)} older comments are not saved on this computer.`,
  showOlder: 'Fetch older comments',
  readingOlder: 'Fetching…',
  on: 'on',
  you: 'You',
  toYou: 'you',
  someone: 'unknown author',

  reply: 'Reply',
  replyTo: (name: string) => `Reply to ${name}`,
  field: 'Comment',
  to: (name: string) => `to ${name}`,
  toGone: 'to a comment that is no longer listed',
  cancelReply: 'Cancel reply',
  placeholder: (name: string) => `Sent as plain text to ${name}`,
  draftPlaceholder: 'Kept here as a draft',
  preview: 'Preview',
  previewOf: 'Preview of the comment',
  send: 'Send',
  kept: { host: 'Draft saved', browser: 'Draft saved in this browser only', nowhere: 'Draft not saved' },
  joined: 'This draft was also edited in another window',
  joinedThen: 'Both texts are now in the field. Nothing was sent.',
  limit: {
    left: (count: number) => `${number(count)} of ${most} characters left`,
    tooMany: (count: number) =>
      `${number(count)} ${count === 1 ? 'character' : 'characters'} over ${most}. Shorten it to send it.`,
    refused: (count: number) =>
      `Not inserted: the comment would have ${number(count)} characters, and the limit is ${most}.`,
  },
  textKept: 'Your text is kept.',
  noSuchAction: 'This repository has no comment threads. Your text is kept.',

  sending: 'Sending',
  notListedYet: 'Sent, not yet listed by the service',
  notListed: 'Sent. The service does not list comments.',
  sendAgain: 'Send again',
  edit: 'Edit',
  discard: 'Discard…',
  checkAgain: 'Check again',
  checking: 'Checking',
  mayThen: 'Check whether the service lists it. To avoid a duplicate, it is not sent again automatically.',
  stillUnknownThen: 'The check was inconclusive. Check again later; it is not sent again automatically.',
  discardTitle: 'Discard this comment?',
  discardFailed: 'Its text is deleted. The service does not have it.',
  discardMay: 'Its text is deleted here. If it has arrived, the service keeps it.',
  keep: 'Cancel',
  discardVerb: 'Discard comment',

  notSent: (why: string) => `Comment not sent, restored as a draft: ${why}`,
  reported: {
    sent: 'Comment sent',
    failed: (why: string) => `Comment not sent: ${why}`,
    mayHaveArrived: 'No response: the comment may have arrived',
    arrived: 'The comment has arrived',
    notArrived: (why: string) => `The comment has not arrived: ${why}`,
    stillUnknown: 'Still unknown whether the comment arrived',
  },
} as const;
