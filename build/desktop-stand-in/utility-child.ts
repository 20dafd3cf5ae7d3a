import './electron-crypto.ts';

/**
 * Loaded into a process before its entry: gives it `process.parentPort` in place of what Node's `fork` gives, as a
 * utility process of Electron has it.
 */
const send = process.send?.bind(process);
if (send === undefined) throw new Error('this process was not forked');

Object.defineProperty(process, 'parentPort', {
  value: {
    on: (_event: string, listener: (event: { data: unknown }) => void) =>
      process.on('message', (data: unknown) => listener({ data })),
    postMessage: (message: unknown) => void (process.connected && send(message)),
  },
});
Object.defineProperty(process, 'send', { value: undefined });
// Electron ends its utility processes with itself.
process.on('disconnect', () => process.exit());
