import { fireEvent, render, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { inlineHashReader } from '../features/bulk-download/inline-hash-reader.fixture.ts';
import { lookupFieldId } from '../features/lookup/lookup-store.tsx';
import { App } from '../shell/app.tsx';
import { loadViewsWhenIdle } from '../shell/view-loader.tsx';
import { type GivenAnswers, MemoryBridge } from './memory-bridge.ts';

/** The whole page over a host in memory, at whatever it begins with. */
export async function openPage(answers: GivenAnswers = {}, openReader = inlineHashReader) {
  await loadViewsWhenIdle();
  const bridge = new MemoryBridge(answers);
  const user = userEvent.setup();
  render(<App bridge={bridge} openReader={openReader} />);
  await drawn('button[aria-label^="Workspace: Lab"]');
  return { bridge, user };
}

/** The same at the look-up, as a person finds it: its views are here before anybody goes to one. */
export async function open(answers: GivenAnswers = {}, openReader = inlineHashReader) {
  const { bridge, user } = await openPage(answers, openReader);
  const field = await drawn(`#${lookupFieldId}`);
  const lookUp = async (text: string): Promise<void> => {
    await user.clear(field);
    if (text === '') return;
    // All of it at once: each key would draw the page for itself.
    fireEvent.change(field, { target: { value: text } });
    await user.keyboard('{Enter}');
  };
  return { bridge, user, field, lookUp };
}

/**
 * By its selector: nearly every test waits for this, and a look by role reads the style of the whole page at each
 * change of it.
 */
async function drawn(selector: string): Promise<HTMLElement> {
  return waitFor(() => {
    const found = document.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`nothing is drawn as ${selector}`);
    return found;
  });
}
