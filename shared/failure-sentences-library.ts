import { many, say, type SomeSentences } from './failure-sentence.ts';

/** What a person reads of the library, of workspaces and of jobs. */
export const librarySentences = {
  'not-in-library': () => say('This desk has not seen this sample', 'Look it up first.'),
  'workspace-missing': () => say('This workspace is gone', 'It was removed. Choose another one.'),
  'workspace-built-in': () => say('The built-in lab cannot be changed', 'Add a workspace of your own.'),
  'workspace-changed': () =>
    say(
      'This workspace was changed elsewhere meanwhile',
      'Nothing was saved. Look at what is stored now, then save again.',
    ),
  'no-export-folder': () =>
    say('No export folder', 'Choose a folder, or start the host with --exports. Nothing was written.'),
  'job-missing': (failure) =>
    say(`There is no job ${failure.id}`, 'It was taken out of the list, or there never was one.'),
  'job-state': (failure) => say(`That cannot be done with job ${failure.id} now`, `It is ${failure.state}.`),
  'job-too-large': (failure) =>
    say(
      'That is more than one job takes',
      `The limit is ${failure.limit.toLocaleString('en')} items. Divide the list.`,
    ),
  'nothing-selected': () => say('None of these samples is in the vault', 'Download them first, then export.'),
  'nothing-to-undo': () => say('There is nothing to undo', 'It was undone already, or too long ago.'),
  'selection-changed': (failure) =>
    say(
      failure.found === failure.expected
        ? 'Other samples fit now, though as many'
        : `${many(failure.found)} samples fit now, not ${many(failure.expected)}`,
      'The library changed meanwhile. Nothing was forgotten.',
    ),
  'ticks-changed': () =>
    say(
      'Other files are ticked now than you were asked about',
      'None was removed. Look at what is ticked, then remove it.',
    ),
  'view-missing': () =>
    say('This saved view is not there any more', 'It was removed meanwhile. Save the query as a new one to keep it.'),
  'view-name-taken': () =>
    say('Another saved view has this name', 'Rename that one or choose another name. Nothing was changed.'),
  'too-many-views': (failure) =>
    say(
      `There are ${failure.limit.toLocaleString('en')} saved views, which is as many as are kept`,
      'Remove one you do not need, then save again.',
    ),
} satisfies SomeSentences;
