/**
 * Boxes in boxes: frames on all sides around other frames. Runs in the page, so it uses nothing
 * from outside.
 * @returns a line for each inner box, with the box around it
 */
export function findNestedBoxes(): string[] {
  const sides = ['Top', 'Right', 'Bottom', 'Left'] as const;
  const controls =
    'button, a, input, select, textarea, kbd, label, [role=button], [role=dialog], ' +
    '[role=listbox], [role=menu], [role=radiogroup], [role=img], [data-drop-area]';
  const isBox = (element: Element): boolean => {
    if (element.matches(controls) || element.closest('button, a, label, svg')) return false;
    const style = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    const isFramed = sides.every(
      (side) =>
        Number.parseFloat(style[`border${side}Width`]) > 0 &&
        style[`border${side}Style`] === 'solid' &&
        !/rgba\(.*, 0\)|transparent/.test(style[`border${side}Color`]),
    );
    return isFramed && width > 120 && height > 48;
  };
  const nameOf = (element: Element) =>
    element.getAttribute('aria-label') ?? (element.textContent ?? '').trim().slice(0, 40);
  const boxes = [...document.querySelectorAll('main *, [role=dialog] *')].filter(isBox);
  return boxes.flatMap((inner) => {
    const outer = boxes.find((box) => box !== inner && box.contains(inner));
    return outer ? [`“${nameOf(inner)}” in “${nameOf(outer)}”`] : [];
  });
}
