import './electron-crypto.ts';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { app, standIn } from './electron.ts';

/**
 * `node --import run.ts MAIN [args]`: the desktop's entry gets the stand-in for Electron. The forking process makes the
 * page's requests.
 */
const question = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('invoke'), id: z.number(), message: z.unknown() }),
  z.object({ kind: z.literal('load'), id: z.number(), path: z.string() }),
  z.object({ kind: z.literal('quit') }),
]);

// The desktop connects to a display before it asks Electron for anything, except to one of another computer.
process.env['DISPLAY'] = 'stand-in:0';

const electron = new URL('electron.ts', import.meta.url).href;
const main = pathToFileURL(process.argv[1] ?? '').href;
/** Electron is ready once the entry was evaluated to its end. */
const lastLine = `\nimport { standIn as standInAtTheEnd } from 'electron';\nstandInAtTheEnd.becomeReady();\n`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: electron, shortCircuit: true } : next(specifier, context),
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (url !== main) return loaded;
    // A packed program has no script among its arguments.
    process.argv.splice(1, 1);
    return { ...loaded, source: `${textOf(loaded.source)}${lastLine}` };
  },
});
const textOf = (source: string | ArrayBuffer | NodeJS.TypedArray | null | undefined): string =>
  typeof source === 'string' ? source : new TextDecoder().decode(source ?? new Uint8Array());
const report = (message: object): void => void process.send?.(message);
standIn.reported = (what) => report({ kind: 'told', what });
standIn.sent = (event) => report({ kind: 'event', event });
process.on('message', (message) => void answer(question.parse(message)));

async function answer(asked: z.infer<typeof question>): Promise<void> {
  if (asked.kind === 'quit') return app.quit();
  try {
    const value = asked.kind === 'invoke' ? await standIn.invoke(asked.message) : await partOf(asked.path);
    report({ kind: 'answer', id: asked.id, value });
  } catch (error) {
    report({ kind: 'refused', id: asked.id, reason: String(error) });
  }
}

async function partOf(path: string): Promise<object> {
  const response = await standIn.load(`vitrine-page://vitrine${path}`);
  return {
    status: response.status,
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
    headers: Object.fromEntries(response.headers),
  };
}
