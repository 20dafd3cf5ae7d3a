import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  defaultFrontDraft,
  defaultProxy,
  defaultRepositoryOptions,
  defaultTimeouts,
  type WorkspaceDraft,
} from '../shared/domain/workspace.ts';

export const draft = (baseUrl: string, token = 'a-recognisable-token-0123456789'): WorkspaceDraft => ({
  name: 'Team',
  repository: { baseUrl, token: { kind: 'set', token } },
  ruleEditor: null,
  allowHttp: false,
  trust: { kind: 'system' },
  timeouts: { ...defaultTimeouts, connectSeconds: 2 },
  options: defaultRepositoryOptions,
  proxy: defaultProxy,
  front: defaultFrontDraft,
});

export const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export async function everyFileUnder(directory: string): Promise<Buffer[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
  );
}

/** The lab is the one child of this process that runs the lab's entry. */
export async function labProcess(): Promise<number> {
  const children = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').catch(() => '');
  for (const pid of children.trim().split(' ').map(Number)) {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (/lab\.[jt]s/.test(commandLine)) return pid;
  }
  return expect.fail('no lab among the children');
}
