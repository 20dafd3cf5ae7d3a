import { many, say, type SomeSentences } from './failure-sentence.ts';

/** Sentences for the library, workspaces and jobs. */
export const librarySentences = {
  'not-in-library': () => say('This sample is not in the library', 'Look it up first.'),
  'workspace-missing': () => say('This workspace no longer exists', 'It was removed. Choose another one.'),
  'workspace-built-in': () => say('The built-in lab cannot be changed', 'Add a workspace of your own.'),
  'workspace-changed': () =>
    say('This workspace was changed elsewhere', 'Nothing was saved. Review the current settings, then save again.'),
  'no-export-folder': () =>
    say('No export folder', 'Choose a folder, or start Vitrine with --exports DIR. Nothing was written.'),
  'job-missing': (failure) => say(`Job ${failure.id} not found`, 'It was removed from the list, or never existed.'),
  'job-state': (failure) => say(`Not possible for job ${failure.id}`, `The job is ${failure.state}.`),
  'job-too-large': (failure) =>
    say('Too many items for one job', `The limit is ${many(failure.limit)}. Split the list.`),
  'nothing-selected': () => say('None of these samples is in the vault', 'Download them first, then export.'),
  'nothing-to-undo': () => say('Nothing to undo', 'It was already undone, or is too old.'),
  'selection-changed': (failure) =>
    say(
      failure.found === failure.expected
        ? 'The selection now has different samples'
        : `The selection now has ${many(failure.found)} samples, not ${many(failure.expected)}`,
      'The library changed in the meantime. Nothing was forgotten.',
    ),
  'ticks-changed': () =>
    say('The ticked files have changed', 'Nothing was removed. Check which files are ticked, then remove them.'),
  'view-missing': () => say('This saved view no longer exists', 'Save the query as a new view.'),
  'view-name-taken': () =>
    say('Another saved view has this name', 'Choose another name, or rename that view. Nothing was changed.'),
  'too-many-views': (failure) =>
    say(`Limit of ${many(failure.limit)} saved views reached`, 'Remove one, then save again.'),
} satisfies SomeSentences;
