/** What the routes of email validations work with. */
import type { RouteDepsWith } from '../http/route-deps.ts';
import type { ValidationCalls } from './validations.commands.ts';

/** Deps of the routes of validations. */
export type ValidationRouteDeps = RouteDepsWith<ValidationCalls>;
