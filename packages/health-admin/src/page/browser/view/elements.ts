/** The element of that name; the page is made with all of them. */
export function byId<T extends Element = HTMLElement>(id: string): T {
  const found = document.querySelector<T>(`#${id}`)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}

/** The part of an element that a selector finds. */
export function part<T extends Element = HTMLElement>(of: ParentNode, selector: string): T {
  const found = of.querySelector<T>(selector)
  if (found === null) throw new Error(`there is no ${selector}`)
  return found
}

/** Only what differs is touched, so that a selection and a screen reader stay where they are. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

export function setAttribute(element: Element, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name)
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

/** Shows the text, or hides the element where there is none. */
export function setOptional(element: HTMLElement, text: string | undefined): void {
  setText(element, text ?? '')
  element.hidden = text === undefined
}

/** Hides or shows; the focus of what is hidden goes to the headline, where else it would be lost. */
export function setHidden(element: HTMLElement, isHidden: boolean): void {
  const hadFocus = isHidden && !element.hidden && element.contains(document.activeElement)
  element.hidden = isHidden
  if (hadFocus) byId('verdict').focus()
}
