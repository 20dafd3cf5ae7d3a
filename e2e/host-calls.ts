import type { Page } from '@playwright/test';
import { readReply } from '../shared/transport.ts';
import { type HostCalls, openHostCalls, outputs, valueOf } from './bench/host-calls.ts';
import type { Program } from './program.ts';

/** Asks the web host with a link of its own, which it gets with the first call: the page has used the first one. */
export function callsOverHttp(program: Program): HostCalls {
  let opened: Promise<HostCalls> | null = null;
  const open = async (): Promise<HostCalls> => {
    program.type('\n');
    const [, link = ''] = await program.printed(/\/#[^]*(http:\/\/127\.0\.0\.1:\d+\/#\S+)\s/);
    return openHostCalls(link);
  };
  return async (name, input) => (await (opened ??= open()))(name, input);
}

/** Asks the desktop over the bridge that its page has. */
export const callsOverBridge =
  (page: Page): HostCalls =>
  async (name, input) => {
    const reply: unknown = await page.evaluate(`bridge.call(${JSON.stringify(name)}, ${JSON.stringify(input)})`);
    return valueOf(name, readReply(outputs[name].output, name, reply));
  };
