import { z } from 'zod';

/**
 * To be imported before anything that uses a schema. Zod otherwise probes whether it may compile its schemas with
 * `new Function`, and the page's content security policy reports that probe as a violation.
 */
z.config({ jitless: true });
