/** Types of generate-legal-forms.mjs. */
/** The lines of the table: an alias and its form in each line, kind. */
export function listLegalForms(): string;
