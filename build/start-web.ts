import { runWebHost } from './web-host.ts';

/** `npm run start:web -- [--port N] [--data FOLDER] [--exports FOLDER] [--no-open]` */
process.exitCode = await runWebHost(process.argv.slice(2));
