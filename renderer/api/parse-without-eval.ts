// Stops zod from using `new Function`, which the page's policy forbids. Import it first.
import { z } from 'zod';

z.config({ jitless: true });
