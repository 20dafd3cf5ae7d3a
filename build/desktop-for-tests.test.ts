import { expect, test } from 'vitest';
import { readTestArguments } from './desktop-for-tests.ts';

test.each([
  ['web tests are run when nothing is asked for', [], { desktop: 'usual', isDesktopRequired: false, args: [] }],
  [
    'a project takes a file when its name is an argument of its own',
    ['--project', 'desktop', 'welcome'],
    { desktop: 'usual', isDesktopRequired: true, args: ['--project=desktop', 'welcome'] },
  ],
  [
    'a project is required when it is named by one argument',
    ['-g', 'a title', '--project=desktop'],
    { desktop: 'usual', isDesktopRequired: true, args: ['-g', 'a title', '--project=desktop'] },
  ],
  [
    'a title is no project when it reads like one',
    ['-g', 'desktop'],
    { desktop: 'usual', isDesktopRequired: false, args: ['-g', 'desktop'] },
  ],
  [
    'the stand-in runs the desktop project when it is asked for',
    ['--stand-in'],
    { desktop: 'stand-in', isDesktopRequired: true, args: ['--project=desktop'] },
  ],
  [
    'the Electron for tests takes files when it is asked for',
    ['--test-electron', 'welcome', 'main-path'],
    { desktop: 'test-electron', isDesktopRequired: true, args: ['--project=desktop', 'welcome', 'main-path'] },
  ],
  [
    'the packed program has a project of its own when it is asked for',
    ['--test-electron', '--packed'],
    { desktop: 'packed', isDesktopRequired: true, args: ['--project=packed'] },
  ],
  [
    'the packed program runs another project when that is named',
    ['--packed', '--project', 'desktop', 'welcome'],
    { desktop: 'packed', isDesktopRequired: true, args: ['--project=desktop', 'welcome'] },
  ],
])('%s', (_title, given, expected) => {
  expect(readTestArguments(given)).toEqual(expected);
});
