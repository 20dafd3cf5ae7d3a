import { desktopRuntime } from './desktop-runtime.ts';
import { type CommandResult, runNode } from './run-command.ts';
import { buildTestTree, testDesktopEnvironment } from './test-electron/built-desktop.ts';
import { ensureDisplayTools, openDesktopSession } from './test-electron/display.ts';
import { packTestPrograms, packedEnvironment } from './test-electron/packed.ts';
import { ensureTestElectron } from './test-electron/runtime.ts';

/**
 * `--stand-in`: the desktop's own entry and preload with a stand-in for Electron. `--test-electron`: a real one, of an
 * older version.
 */
const ways = ['--stand-in', '--test-electron', '--packed'] as const;
const teamLab = '--team-lab';

/** What `npm run e2e -- …` asks for. */
export interface TestRequest {
  /** What the desktop of the tests is. `usual`: the pinned Electron, where it is installed. */
  desktop: 'usual' | 'stand-in' | 'test-electron' | 'packed';
  /** Whether a run without a desktop is a failure. */
  isDesktopRequired: boolean;
  /** `--team-lab`: the labs that tests start keep their data on the servers of a team instead of in a folder. */
  isTeamLab: boolean;
  /** For Playwright. */
  args: string[];
}

/**
 * Reads the arguments of `npm run e2e`. `--project NAME` becomes `--project=NAME`: Playwright would take the file
 * behind it for the name of a second project.
 */
export function readTestArguments(given: readonly string[]): TestRequest {
  const asked = ways.filter((way) => given.includes(way));
  const isTeamLab = given.includes(teamLab);
  const args = given.flatMap((arg, at) => {
    if (arg === teamLab || ways.some((way) => way === arg) || given[at - 1] === '--project') return [];
    return arg === '--project' ? [`--project=${given[at + 1] ?? ''}`] : [arg];
  });
  const desktop = desktopOf(asked);
  if (desktop === 'usual') return { desktop, isDesktopRequired: args.includes('--project=desktop'), isTeamLab, args };
  const own = args.some((arg) => arg.startsWith('--project'))
    ? []
    : [`--project=${desktop === 'packed' ? 'packed' : 'desktop'}`];
  return { desktop, isDesktopRequired: true, isTeamLab, args: [...own, ...args] };
}

function desktopOf(asked: readonly (typeof ways)[number][]): TestRequest['desktop'] {
  if (asked.includes('--packed')) return 'packed';
  if (asked.includes('--test-electron')) return 'test-electron';
  return asked.includes('--stand-in') ? 'stand-in' : 'usual';
}

/** A desktop to be tested: how its tests find it, and how they are run so that it has a screen. */
export interface TestDesktop {
  env: NodeJS.ProcessEnv;
  runTests(script: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandResult>;
  end(): Promise<void>;
}

/** Makes ready what the tests run on. @returns the desktop, or why there is none, in a few words */
export async function desktopForTests(request: TestRequest): Promise<TestDesktop | string> {
  try {
    return await prepareDesktop(request);
  } catch (error) {
    // What vite, electron-builder or the screen said.
    return error instanceof Error ? error.message : String(error);
  }
}

async function prepareDesktop({ desktop, isDesktopRequired }: TestRequest): Promise<TestDesktop | string> {
  if (desktop === 'stand-in') return onThisScreen({ VITRINE_ELECTRON: 'stand-in' });
  if (desktop !== 'usual') return onTestElectron({ isPacked: desktop === 'packed' });
  const runtime = await desktopRuntime({ isFetched: isDesktopRequired });
  return runtime.ok ? onThisScreen({ VITRINE_ELECTRON: runtime.path }) : runtime.reason;
}

const onThisScreen = (env: NodeJS.ProcessEnv): TestDesktop => ({
  env,
  runTests: (script, args, whole) => runNode(script, args, { env: whole }),
  end: async () => {},
});

async function onTestElectron({ isPacked }: { isPacked: boolean }): Promise<TestDesktop | string> {
  const obstacle = (await ensureDisplayTools()) ?? (await ensureTestElectron());
  if (obstacle !== null) return obstacle;
  await buildTestTree();
  if (isPacked) await packTestPrograms();
  const session = await openDesktopSession();
  return {
    env: { ...testDesktopEnvironment(), ...(isPacked ? packedEnvironment() : {}) },
    runTests: (script, args, env) => session.run(process.execPath, [script, ...args], env),
    end: () => session.end(),
  };
}
