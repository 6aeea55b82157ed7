/** Dependencies of the routes of email validations. */
import type { RouteDepsWith } from '../http/route-deps.ts';
import type { ValidationCalls } from './validations.commands.ts';

export type ValidationRouteDeps = RouteDepsWith<ValidationCalls>;
