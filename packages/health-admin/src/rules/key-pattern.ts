/** What a key is made of: what can travel in a header as it is, spaces within, none at an end. */
export const KEY_PATTERN: RegExp = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
