import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * What Chromium's sandbox needs on Linux: namespaces that any program may make, or a helper that belongs to root and
 * runs as root.
 */
export interface SandboxFacts {
  mayMakeNamespaces: boolean;
  /** The kernel lets no program make them, whatever profile it has. */
  isForbiddenByKernel: boolean;
  hasHelper: boolean;
}

const kernelSettings = [
  ['/proc/sys/kernel/unprivileged_userns_clone', '0'],
  ['/proc/sys/user/max_user_namespaces', '0'],
] as const;
const settings = [['/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1'], ...kernelSettings] as const;
const setUserId = 0o4000;

const helperOf = (executable: string): string => join(dirname(executable), 'chrome-sandbox');

export function sandboxFacts(executable: string): SandboxFacts {
  const helper = statSync(helperOf(executable), { throwIfNoEntry: false });
  return {
    mayMakeNamespaces: settings.every(([path, forbids]) => valueOf(path) !== forbids),
    isForbiddenByKernel: kernelSettings.some(([path, forbids]) => valueOf(path) === forbids),
    hasHelper: helper !== undefined && helper.uid === 0 && (helper.mode & setUserId) !== 0,
  };
}

/** Why Electron cannot start, known before it is tried; null where it may. Chromium would end in a crash. */
export function sandboxObstacle({ isForbiddenByKernel, hasHelper }: SandboxFacts): string | null {
  return isForbiddenByKernel && !hasHelper
    ? "this system does not let programs create user namespaces, which Chromium's sandbox needs"
    : null;
}

/**
 * To be said of an Electron that ended at once with a failure; null where the sandbox is no reason. An AppArmor profile
 * of the person's may let it: it is asked for afterwards.
 */
export function sandboxHint(executable: string, { mayMakeNamespaces, hasHelper }: SandboxFacts): string | null {
  if (mayMakeNamespaces || hasHelper) return null;
  const helper = helperOf(executable);
  return `Chromium's sandbox cannot start on this system, and Vitrine never runs without it. Set up its helper:
  sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'
or run "npm run start:web" to use Vitrine in a browser.`;
}

function valueOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // Other systems, and other kernels, have no such setting.
    return null;
  }
}
