import { byId } from './elements.ts'

/** Keeps one element of a list for each item, by its key: it is made once, filled again, moved and removed as needed. */
export function rows<Item>(
  list: Element,
  templateId: string,
  keyOf: (item: Item) => string,
  fill: (row: Element, item: Item) => void,
): (items: readonly Item[]) => void {
  const template = byId<HTMLTemplateElement>(templateId)
  let shown = new Map<string, Element>()

  const make = (): Element => {
    const made = document.importNode(template.content, true).firstElementChild
    if (made === null) throw new Error(`${templateId} is empty`)
    return made
  }

  return (items) => {
    const next = new Map(items.map((item) => [keyOf(item), shown.get(keyOf(item)) ?? make()]))
    for (const [key, row] of shown) if (!next.has(key)) row.remove()
    shown = next
    for (const item of items) {
      const row = next.get(keyOf(item))
      if (row !== undefined) fill(row, item)
    }
    let place = list.firstElementChild
    for (const row of next.values()) {
      if (row === place) place = place.nextElementSibling
      else list.insertBefore(row, place)
    }
  }
}
