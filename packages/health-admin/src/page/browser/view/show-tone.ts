import type { Tone } from '../rules/tone.ts'
import { part, setAttribute } from './elements.ts'

/** Gives an element a tone's colour, and its picture, where it has one, the tone's shape. */
export function showTone(element: Element, tone: Tone): void {
  setAttribute(element, 'data-tone', tone)
  if (element.querySelector('use') !== null) setAttribute(part(element, 'use'), 'href', `#shape-${tone}`)
}
