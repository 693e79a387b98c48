import type { Tone } from '../rules/tone.ts'
import { byId, setAttribute } from './elements.ts'

/** In the middle between both colour schemes: a tab may have either. */
const DRAWINGS: Readonly<Record<Tone, string>> = {
  good: '<circle cx="8" cy="8" r="7" fill="#1a9c5b"/>',
  warn: '<path d="M8 1l8 14H0z" fill="#d98a00"/>',
  bad: '<path d="M5 0h6l5 5v6l-5 5H5l-5-5V5z" fill="#dc2f36"/>',
  busy: '<circle cx="8" cy="8" r="5.5" fill="none" stroke="#3f74e0" stroke-width="4"/>',
  unknown: '<circle cx="8" cy="8" r="6" fill="none" stroke="#858f9b" stroke-width="2"/>',
}

/** Gives the tab an icon in the verdict's colour and shape. */
export function showIcon(tone: Tone): void {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${DRAWINGS[tone]}</svg>`
  setAttribute(byId('icon'), 'href', `data:image/svg+xml,${encodeURIComponent(drawing)}`)
}
