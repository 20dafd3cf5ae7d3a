import { defineConfig } from 'vite';
import host from '../vite.host.ts';
import { isOutside, olderRuntime, olderTargets } from './older-runtime.ts';
import { sqliteModule } from './runtime.ts';

/** The host as it is shipped, for the runtime of the tests. */
export default defineConfig({
  ...host,
  plugins: [...(host.plugins ?? []), olderRuntime({ sqlite: sqliteModule })],
  ssr: { noExternal: true },
  build: {
    ...host.build,
    target: olderTargets.host,
    rolldownOptions: { ...host.build?.rolldownOptions, external: isOutside },
  },
});
