import type { Headline } from './headline.ts'

/** What a screen reader is told, and when: again only when `key` is another, so that counts and ages stay quiet. */
export function announcement(
  { word, tone, meaning, causes }: Headline,
  notice: string,
): { readonly key: string; readonly text: string } {
  const names = causes.map(({ name }) => name).join(', ')
  const why = causes
    .map(({ name, problem }) => (problem === undefined ? name : `${name}, ${problem}`))
    .join('. ')
  return {
    key: `${word}|${tone}|${names}|${notice}`,
    text: [word, meaning, why, notice].filter((part) => part !== '').join(' '),
  }
}
