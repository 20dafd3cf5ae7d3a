import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { standIn } from './electron.ts';

/** `node run.ts ENTRY [args]`: runs the desktop's entry with the stand-in for Electron. Whoever forked it asks as the page does. */
const question = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('invoke'), id: z.number(), message: z.unknown() }),
  z.object({ kind: z.literal('load'), id: z.number(), path: z.string() }),
  z.object({ kind: z.literal('quit') }),
]);

const tell = (message: object): void => void process.send?.(message);
const electron = new URL('electron.ts', import.meta.url).href;
registerHooks({ resolve: (specifier, context, next) => (specifier === 'electron' ? { url: electron, shortCircuit: true } : next(specifier, context)) });
standIn.told = (what) => tell({ kind: 'told', what });
standIn.sent = (event) => tell({ kind: 'event', event });
process.on('message', (message) => void answer(question.parse(message)));

const [program = '', , entry = '', ...args] = process.argv;
process.argv = [program, ...args];
await import(pathToFileURL(entry).href);
standIn.becomeReady();

async function answer(asked: z.infer<typeof question>): Promise<void> {
  if (asked.kind === 'quit') return (await import('./electron.ts')).app.quit();
  const value = asked.kind === 'invoke' ? await standIn.invoke(asked.message) : await loaded(asked.path);
  tell({ kind: 'answer', id: asked.id, value });
}

async function loaded(path: string): Promise<object> {
  const response = await standIn.load(`vitrine-page://vitrine${path}`);
  return { status: response.status, bytes: (await response.arrayBuffer()).byteLength, headers: Object.fromEntries(response.headers) };
}
