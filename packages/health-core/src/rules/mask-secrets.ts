const MAX_LENGTH = 300
/** Scanned length: far above the kept length, and a bound on the work that a hostile message can cause. */
const MAX_SCANNED = 4_000

const KEYS = 'api|access|account|admin|auth|encryption|master|private|secret|session|signing'
const NAMES = `pass(?:word|wd|phrase)?|pwd|secret|token|credentials?|authorization|cookie|(?:${KEYS})[-_ ]?(?:key|token|id)`
/** Schemes with one word of credentials after them: what comes then is worth reading. */
const SCHEMES = 'bearer|basic|negotiate'

/** To the closing quote, or to the end where it was cut off. In JSON inside JSON a backslash stands before the quote. */
const quotedBy = (quote: string): string =>
  String.raw`\\*${quote}(?:\\[\s\S]|[^${quote}\\])*(?:${quote}|\\?$)[^\s,;)}\]]*`
const QUOTED = ['"', "'", '`'].map(quotedBy).join('|')

const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g, '***'],
  // user and password of a URL; up to the last @, since passwords hold slashes and @ too
  [/(:\/\/)[^\s"'`]*@/g, '$1***@'],
  // a header to the end of its line: a cookie is several, a scheme that we do not know can be anything
  [
    new RegExp(
      String.raw`((?:authorization|cookie)["'\`]?\s*[:=]\s*)(?![\s"'\`\\]|(?:${SCHEMES})\s)[^\r\n]+`,
      'gi',
    ),
    '$1***',
  ],
  // password=..., "api_key": "...", secret is ...
  [
    new RegExp(
      String.raw`((?:${NAMES})\\*["'\`]?\s*(?:[=:]|\bis\b)\s*)(?:${QUOTED}|(?!(?:${SCHEMES})\s)\S+)`,
      'gi',
    ),
    '$1***',
  ],
  [new RegExp(String.raw`\b(password|identified\s+by)\s+(?:${QUOTED})`, 'gi'), '$1 ***'],
  [/\b(bearer(?:\s+token)?|basic|negotiate)(?:\s*[:=]\s*|\s+)["'`]?[^\s"'`,;]+/gi, '$1 ***'],
  // once more across quotes, now that fields, whose passwords hold @ too, are gone
  [/(:\/\/)\S*@/g, '$1***@'],
  // values of a query string
  [/([?&][^=\s&#]{1,64}=)[^\s&#"`]+/g, '$1***'],
  // user:password@host
  [/(?<![^\s"'`(=,])[^\s:@/"'`]*:[^\s/]\S*@/g, '***@'],
  // tokens with a known prefix
  [
    /\b(?:[sr]k[-_]|pk_(?:live|test)_|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|npm_|whsec_|AKIA|ASIA|eyJ)[-_A-Za-z0-9.]{12,}/g,
    '***',
  ],
]

/** Makes a foreign message fit for a log: URL user info, query values, passwords, tokens and keys become `***`, the rest is cut at 300 characters. */
export function maskSecrets(message: string): string {
  const isLong = message.length > MAX_SCANNED
  // a cut could halve a secret so that its pattern no longer fits: what the cut touches goes with it
  let text = isLong ? message.slice(0, MAX_SCANNED).replace(/(?<!\S)\S+$/, '') : message
  for (const [pattern, replacement] of SECRETS) text = text.replace(pattern, replacement)
  // control characters could forge a second log line
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  text = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
  return isLong || text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text
}
