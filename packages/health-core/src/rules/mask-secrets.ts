const MOST = 300
/** What is looked at: far above what is kept, and a bound on the work that a hostile message can cause. */
const LOOKED_AT = 4_000

const SECRETS: readonly (readonly [RegExp, string])[] = [
  // user and password of a URL; up to the last @, since passwords hold slashes and @ too
  [/([a-z][a-z0-9+.-]*:\/\/)\S*@/gi, '$1***@'],
  // values of a query string
  [/([?&][^=\s&#]{1,64}=)[^\s&#"'`,;)]+/g, '$1***'],
  [/\b(bearer|basic|digest|negotiate)\s+[^\s"',;]+/gi, '$1 ***'],
  // password=..., "api_key": "...", Authorization: ...
  [
    /((?:pass(?:word|wd|phrase)?|pwd|secret|token|credentials?|authorization|cookie|(?:api|access|private|secret|auth|session|admin)[-_ ]?(?:key|token|id))["'`]?\s*(?:[=:]|\bis\b)\s*)("[^"]*"|'[^']*'|`[^`]*`|(?!(?:bearer|basic|digest|negotiate) \*)[^\s,;)}\]]+)/gi,
    '$1***',
  ],
  // tokens that tell what they are by how they begin
  [/\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[a-z]|AKIA|ASIA|eyJ)[-_A-Za-z0-9.]{12,}/g, '***'],
]

/** Makes a message of somebody else's fit for a log: URL user info, query values, passwords, tokens and keys become `***`, the rest is cut at 300 characters. */
export function maskSecrets(message: string): string {
  // a cut could halve a secret so that its pattern no longer fits: what the cut touches goes with it
  let text = message.length > LOOKED_AT ? message.slice(0, LOOKED_AT).replace(/\S+$/, '') : message
  for (const [pattern, replacement] of SECRETS) text = text.replace(pattern, replacement)
  // control characters could forge a second log line
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  text = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
  return text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text
}
