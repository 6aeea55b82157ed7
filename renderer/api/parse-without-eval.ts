// Stops zod from compiling parsers with `new Function`, which the page's content security policy
// forbids. Import it first.
import { z } from 'zod';

z.config({ jitless: true });
