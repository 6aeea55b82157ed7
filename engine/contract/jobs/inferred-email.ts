// Emails that a job infers from the addresses of others at the same organisation.
import { z } from 'zod';

/** What is known about the domain: it takes mail, or the network did not tell. */
export const domainChecks = ['accepts_mail', 'unchecked'] as const;

/** An inferred email with the evidence for it. It is a guess: never verified, never charged. */
export const InferredEmailSchema = z
  .object({
    email: z.string(),
    status: z.literal('inferred'),
    probability: z.number().min(0).max(1).describe('How probable it is that the person has it.'),
    pattern: z.string().describe('The form with its domain, such as {first}.{last}@example.com.'),
    witnesses: z.int().describe('People at the domain whose addresses have the form.'),
    compared: z.int().describe('People at the domain whose addresses were compared.'),
    domain_check: z
      .enum(domainChecks)
      .describe('Whether the domain accepts mail; unchecked without a network.'),
    inferred_on: z.iso.date().describe('The day of the inference (UTC).'),
  })
  .meta({ id: 'InferredEmail' });
export type InferredEmail = z.infer<typeof InferredEmailSchema>;
