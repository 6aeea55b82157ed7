/** check_wallet on the wire; its answer is the wallet of the app. */
import { z } from 'zod';

/** Arguments of a tool that takes none. */
export const NoArgumentsSchema = z.strictObject({});
