import type { Keychain } from '../storage/tokens/keychain.ts';

/** What this needs of Electron's `safeStorage`, after the app is ready. */
export interface SafeStoragePort {
  isAsyncEncryptionAvailable(): Promise<boolean>;
  encryptStringAsync(text: string): Promise<Buffer>;
  decryptStringAsync(sealed: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }>;
  getSelectedStorageBackend(): string;
}

/** On Linux these are no keychains: one key for every program, and a question that comes too early. */
const notKeychains: readonly string[] = ['basic_text', 'unknown'];

/** The system's keychain by Electron's asynchronous interface; null where there is no real one. */
export async function openKeychain(safeStorage: SafeStoragePort, system: NodeJS.Platform): Promise<Keychain | null> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return null;
  const backend = backendName(safeStorage, system);
  if (notKeychains.includes(backend)) return null;
  return {
    backend,
    seal: (text) => safeStorage.encryptStringAsync(text),
    open: async (sealed) => {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(sealed));
      return { text: result, shouldReseal: shouldReEncrypt };
    },
  };
}

function backendName(safeStorage: SafeStoragePort, system: NodeJS.Platform): string {
  switch (system) {
    case 'darwin':
      return 'macOS Keychain';
    case 'win32':
      return 'Windows DPAPI';
    default:
      return safeStorage.getSelectedStorageBackend();
  }
}
