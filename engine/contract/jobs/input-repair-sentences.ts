// The sentence of each rule of repair, which screens and documents show.
import type { InputRepairRule } from './input-repairs.ts';

/** Apart from the rules: the first page needs the rules alone. */
export const inputRepairSentences: Readonly<Record<InputRepairRule, string>> = {
  text_encoding: 'Text that was decoded with the wrong encoding is restored.',
  text_marks: 'Quotes, markup, line breaks and other marks are left out.',
  placeholder: 'A placeholder such as “n/a” counts as an empty cell.',
  email_link: 'The address is taken out of a mailto: link.',
  email_display_name: 'The address is taken out of the text around it.',
  email_text: 'Spaces, punctuation and mistyped endings of an address are corrected.',
  url_text: 'A broken web address is corrected.',
  identifier_moved: 'An email, web address or phone number is read from another column.',
  company_web_address: 'A web address in the company column is read as the company’s domain.',
  name_and_company: 'A cell with a name and a company is read as two values.',
  full_name: 'A whole name in one column is read as first and last name.',
  names_exchanged: 'First and last name are exchanged.',
  columns_shifted: 'Values are read from the columns next to their own.',
  company_part: 'A department or a place in the company column is left out.',
  test_row: 'A test row, a header, a note or an office is read as no person.',
  two_people: 'A cell that names two people is read as no person.',
};
