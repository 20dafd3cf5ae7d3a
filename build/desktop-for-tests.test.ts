import { expect, test } from 'vitest';
import { readTestArguments } from './desktop-for-tests.ts';

test.each([
  [
    'web tests are run when nothing is asked for',
    [],
    { desktop: 'usual', isDesktopRequired: false, isTeamLab: false, args: [] },
  ],
  [
    'a project takes a file when its name is an argument of its own',
    ['--project', 'desktop', 'welcome'],
    { desktop: 'usual', isDesktopRequired: true, isTeamLab: false, args: ['--project=desktop', 'welcome'] },
  ],
  [
    'a project is required when it is named by one argument',
    ['-g', 'a title', '--project=desktop'],
    { desktop: 'usual', isDesktopRequired: true, isTeamLab: false, args: ['-g', 'a title', '--project=desktop'] },
  ],
  [
    'a title is no project when it reads like one',
    ['-g', 'desktop'],
    { desktop: 'usual', isDesktopRequired: false, isTeamLab: false, args: ['-g', 'desktop'] },
  ],
  [
    'the stand-in runs the desktop project when it is asked for',
    ['--stand-in'],
    { desktop: 'stand-in', isDesktopRequired: true, isTeamLab: false, args: ['--project=desktop'] },
  ],
  [
    'the Electron for tests takes files when it is asked for',
    ['--test-electron', 'welcome', 'main-path'],
    {
      desktop: 'test-electron',
      isDesktopRequired: true,
      isTeamLab: false,
      args: ['--project=desktop', 'welcome', 'main-path'],
    },
  ],
  [
    'the packed program has a project of its own when it is asked for',
    ['--test-electron', '--packed'],
    { desktop: 'packed', isDesktopRequired: true, isTeamLab: false, args: ['--project=packed'] },
  ],
  [
    'the packed program runs another project when that is named',
    ['--packed', '--project', 'desktop', 'welcome'],
    { desktop: 'packed', isDesktopRequired: true, isTeamLab: false, args: ['--project=desktop', 'welcome'] },
  ],
  [
    'labs keep their data on the servers of a team when that is asked for',
    ['--team-lab', 'upload'],
    { desktop: 'usual', isDesktopRequired: false, isTeamLab: true, args: ['upload'] },
  ],
  [
    'another desktop is taken with the servers of a team when both are asked for',
    ['--stand-in', '--team-lab', 'upload'],
    { desktop: 'stand-in', isDesktopRequired: true, isTeamLab: true, args: ['--project=desktop', 'upload'] },
  ],
])('%s', (_title, given, expected) => {
  expect(readTestArguments(given)).toEqual(expected);
});
