/**
 * Keeps zod from compiling its parsers with `new Function`, which the page's policy refuses;
 * imported first.
 */
import { z } from 'zod';

z.config({ jitless: true });
