import { expect, test } from 'vitest';
import { type IdentityOptions, tellIdentity } from './app-identity.ts';

function told(options: Omit<IdentityOptions, 'namedDirectory'>, namedDirectory: string | null = null): unknown[] {
  const heard: unknown[] = [];
  tellIdentity(
    {
      setAppUserModelId: (id) => heard.push(id),
      setAsDefaultProtocolClient: (...client) => heard.push(client) > 0,
    },
    { ...options, namedDirectory },
  );
  return heard;
}
const program = 'C:\\Vitrine\\Vitrine.exe';

test('Windows is told the id of the package and who opens links, with nothing of them read as arguments', () => {
  expect(told({ system: 'win32', isPackaged: true, program })).toEqual([
    'org.vitrine.Vitrine',
    ['vitrine', program, ['--']],
  ]);
});

test('a program that runs from source takes no links', () => {
  expect(told({ system: 'win32', isPackaged: false, program })).toEqual([program]);
});

test.each(['linux', 'darwin'] as const)('%s reads both from the package', (system) => {
  expect(told({ system, isPackaged: true, program })).toEqual([]);
});

test.each([
  ['D:\\case 7', ['--data=D:\\case 7', '--']],
  // Electron puts each argument into quotes, and a backslash before a quote would take it in.
  ['D:\\', ['--data=D:\\\\', '--']],
  ['D:\\100%1', ['--']],
])('links open the data directory %s again when the person named it', (directory, args) => {
  expect(told({ system: 'win32', isPackaged: true, program }, directory)[1]).toEqual(['vitrine', program, args]);
});
