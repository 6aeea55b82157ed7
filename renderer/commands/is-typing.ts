/** Whether a key press goes into a field, where single keys are no shortcuts. */

const typingRoles = ['textbox', 'searchbox', 'combobox', 'spinbutton'];
const plainInputs = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'reset', 'submit'];

/** @param target of the event */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || typingRoles.includes(target.getAttribute('role') ?? ''))
    return true;
  if (target instanceof HTMLInputElement) return !plainInputs.includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
