// What scripts/bundle-browser.mjs makes of a file.

/** A program for the browser, bundled into one text. */
declare module '*?script' {
  const text: string
  export default text
}

/** A file as it stands. */
declare module '*?text' {
  const text: string
  export default text
}
