import { Buffer } from 'node:buffer'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskSecrets } from './mask-secrets.ts'

const PEM = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n9w0BAQEFAASC\n-----END PRIVATE KEY-----'

/** A message as a driver or a client writes it, and the pieces that must not be left of it. */
const ROWS: readonly (readonly [message: string, secrets: readonly string[], kept?: string])[] = [
  // URLs
  ['connect ECONNREFUSED postgres://app:hunter2@db:5432/orders', ['app', 'hunter2'], '@db:5432/orders'],
  ['postgres://app:p@ss/w?rd#1@db/orders refused', ['p@ss', 'w?rd', 'ss/w', 'rd#1'], '@db/orders refused'],
  ['Redis connection to redis://:hunter2@cache:6379 failed', ['hunter2'], '@cache:6379 failed'],
  ['rediss://app:hunter2@a:6379,rediss://app:tiger33@b:6379 down', ['hunter2', 'tiger33'], 'down'],
  ['bad URL "mysql://root:hunter2@127.0.0.1/x"', ['root:', 'hunter2']],
  ['amqp+ssl://u:hunter2@mq/vhost closed', ['hunter2'], '@mq/vhost closed'],
  ['getaddrinfo ENOTFOUND app:hunter2@db', ['hunter2']],
  ['{"url":"postgres://db/orders","password":"p@ssw0rd"}', ['p@ss', 'ssw0rd']],
  [
    'fatal: https://x-access-token:hunter2@git.test/o/r.git not found',
    ['hunter2'],
    '@git.test/o/r.git not found',
  ],
  // queries
  ['GET https://api.test/v1?key=hunter2&page=2 -> 403', ['hunter2'], 'https://api.test/v1?key='],
  ["postgres://db/orders?user=app&password=hun,ter;2'3)4", ['hun', 'ter', "2'3", '3)4']],
  ['https://bucket.test/o?X-Amz-Signature=0badcafe&X-Amz-Credential=AK/1', ['0badcafe', 'AK/1']],
  // keyword strings
  ['host=db user=app password=hunter2 sslmode=require', ['hunter2'], 'host=db user=app'],
  ['host=db password=hun,ter2)x', ['hun', 'ter2', ')x'], 'host=db'],
  ["host=db password='hunter 2 \\'tiger' user=app", ['hunter', 'tiger'], 'user=app'],
  ['Server=db;Uid=app;Pwd=hunter2;Pooling=true', ['hunter2'], 'Server=db'],
  ['PGPASSWORD=hunter2 DB_PASSWORD=tiger33', ['hunter2', 'tiger33']],
  ['syntax error near "ALTER ROLE app PASSWORD \'hunter2\'"', ['hunter2'], 'syntax error'],
  ["near 'CREATE USER app IDENTIFIED BY 'hunter2''", ['hunter2'], 'CREATE USER'],
  ['the password is hunter2', ['hunter2'], 'the password is'],
  // objects
  ['bad config {"host":"db","password":"hunter2","port":5432}', ['hunter2'], '"port":5432'],
  ['{"password": "hun\\"ter2 tiger33", "host": "db"}', ['hun', 'ter2', 'tiger33'], '"host": "db"'],
  ['body: "{\\"password\\":\\"hunter2 tiger\\"}"', ['hunter2', 'tiger']],
  ["{ host: 'db', password: 'hunter2, tiger33' }", ['hunter2', 'tiger33'], "host: 'db'"],
  ['{"apiKey":"hunter2","client_secret":"tiger33"}', ['hunter2', 'tiger33']],
  ['cut off: {"password":"hunter2 tiger33', ['hunter2', 'tiger33'], 'cut off'],
  ['cut off: {"password":"hunter2 tiger33\\', ['hunter2', 'tiger33'], 'cut off'],
  // headers
  ['401 for Authorization: Bearer abc.def-ghi', ['abc.def'], '401 for Authorization:'],
  ['authorization: Basic YXBwOmh1bnRlcjI= was refused', ['YXBwOmh1'], 'was refused'],
  ['Authorization: Token hunter2tiger', ['hunter2']],
  ['Authorization: ApiKey aHVudGVyMg==\nHost: es', ['aHVudGVyMg'], 'Host: es'],
  ['Authorization: Digest username="app", nonce="x", response="0badcafe"', ['0badcafe', 'app"']],
  ['Cookie: a=hunter2; sid=tiger33\r\nHost: web', ['hunter2', 'tiger33'], 'Host: web'],
  ['{"authorization":"Token hunter2","x-api-key":"tiger33"}', ['hunter2', 'tiger33']],
  ['x-baldur-admin-key: hunter2hunter2', ['hunter2']],
  ['invalid bearer token hunter2tiger33', ['hunter2'], 'invalid bearer'],
  // tokens that tell what they are
  ['The AWS Access Key Id AKIAIOSFODNN7EXAMPLE does not exist', ['AKIAIOSF'], 'does not exist'],
  ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG', ['wJalr', 'K7MDENG']],
  ['bad credentials ghp_16C7e42F292c6912E7710c838348Ae178B4a', ['16C7e42F']],
  ['bad credentials github_pat_11ABCDEFG0123456789_abcdefgh', ['11ABCDEFG']],
  ['ghu_16C7e42F292c6912E7710c838348Ae178B4a expired', ['16C7e42F'], 'expired'],
  ['No such API key: sk_live_4eC39HqLyjWDarjtT1zdp7dc', ['4eC39HqL']],
  ['key sk-proj-abcdefghijklmnop12345 revoked', ['abcdefghij'], 'revoked'],
  [
    'jwt malformed: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3',
    ['eyJhbGci', 'dozjgNry'],
    'jwt malformed',
  ],
  ['xoxb-2345678901-abcdefghij is not allowed', ['abcdefghij'], 'is not allowed'],
  // several lines
  ['connection failed\n  user: app\n  password: hunter2\n  host: db', ['hunter2'], 'host: db'],
  ['password:\n  hunter2', ['hunter2']],
  [`error in ${PEM}: wrong tag`, ['MIIEvQ', '9w0BAQ'], 'wrong tag'],
  [`private_key: ${PEM.slice(0, 60)}`, ['MIIEvQ', '9w0BAQ']],
]

describe('messages with secrets', () => {
  it('has 49 rows', () => expect(ROWS).toHaveLength(49))

  it.each(ROWS.map(([message, secrets, kept]) => ({ message, secrets, kept })))(
    '$message',
    ({ message, secrets, kept }) => {
      const masked = maskSecrets(message)
      for (const secret of secrets) {
        expect(message).toContain(secret)
        expect(masked).not.toContain(secret)
      }
      expect(masked).toContain('***')
      if (kept !== undefined) expect(masked).toContain(kept)
    },
  )
})

describe('messages without secrets stay as they are', () => {
  it.each([
    ['connect ECONNREFUSED 127.0.0.1:5432'],
    ['password authentication failed for user "app"'],
    ['no pg_hba.conf entry for host "10.0.0.7", user "app", database "orders", SSL off'],
    ['relation "tokens" does not exist'],
    ['Unexpected token < in JSON at position 0'],
    ['timeout exceeded when trying to connect to http://localhost:3000/health'],
    ['certificate has expired (CN=db.internal, issuer CA 3)'],
    ['write EPIPE at 12:30:05'],
    ['LOADING Redis is loading the dataset in memory'],
    ['Kennwort ungültig: größer als 8 – 漢字 🦉'],
    [''],
  ])('%s', (message) => expect(maskSecrets(message)).toBe(message))
})

describe('a secret never survives', () => {
  const PRINTABLE = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((c) => c !== '*')
  const chars = (set: string): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(...set), minLength: 16, maxLength: 40 })
  const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

  const anySolid = fc.string({ unit: fc.constantFrom(...PRINTABLE, 'é', '漢'), minLength: 8, maxLength: 40 })
  const anySpaced = fc.string({ unit: fc.constantFrom(...PRINTABLE, ' ', 'é'), minLength: 8, maxLength: 40 })
  const token = chars(`${ALNUM}-._~+/=`)
  const solidWord = anySolid.filter((s) => !/^["'`\\]/.test(s))

  /** How a secret is made, and how it stands in a message. */
  const TEMPLATES: Readonly<
    Record<string, readonly [secret: fc.Arbitrary<string>, place: (s: string) => string]>
  > = {
    'a password in a URL': [anySolid, (s) => `connect postgres://app:${s}@db:5432/orders refused`],
    'a password in a URL without a user': [anySolid, (s) => `redis://:${s}@cache:6379/0 is down`],
    'a password in a URL in JSON': [
      anySolid,
      (s) => JSON.stringify({ url: `mysql://app:${s}@db/x`, port: 1 }),
    ],
    'a query value': [anySolid, (s) => `GET https://api/v1?a=1&sig=${encodeURIComponent(s)}&b=2 failed`],
    'a keyword value': [solidWord, (s) => `host=db password=${s} user=app`],
    'a quoted keyword value': [
      anySpaced,
      (s) => `host=db password='${s.replace(/[\\']/g, '\\$&')}' user=app`,
    ],
    'a variable': [solidWord, (s) => `env: DB_PASSWORD=${s} HOME=/root`],
    'a JSON field': [anySpaced, (s) => `refused ${JSON.stringify({ user: 'app', password: s, host: 'db' })}`],
    'a JSON field beside a URL': [
      anySpaced,
      (s) => JSON.stringify({ url: 'postgres://db/orders', client_secret: s }),
    ],
    'a JSON field inside JSON': [
      anySpaced,
      (s) => JSON.stringify({ body: JSON.stringify({ apiKey: s, user: 'app' }), status: 401 }),
    ],
    'a field of an inspected object': [anySpaced, (s) => `options: ${inspect({ user: 'app', passwd: s })}`],
    'a bearer token': [token, (s) => `401: Authorization: Bearer ${s} was refused`],
    'basic credentials': [
      anySolid.map((s) => Buffer.from(`app:${s}`).toString('base64')),
      (s) => `headers { authorization: 'Basic ${s}' }`,
    ],
    'another scheme': [token, (s) => `Authorization: ApiKey ${s}\nHost: db`],
    'a cookie': [token, (s) => `Cookie: theme=dark; session=${s}\nHost: db`],
    'an own header': [token, (s) => `x-api-key: ${s}`],
    'an AWS key': [chars(ALNUM), (s) => `key AKIA${s} does not exist`],
    'a GitHub token': [chars(ALNUM), (s) => `bad credentials: ghp_${s}`],
    'a Stripe key': [chars(ALNUM), (s) => `No such key sk_live_${s}, try again`],
    'a JWT': [chars(ALNUM), (s) => `invalid signature eyJhbGciOiJIUzI1NiJ9.${s}.${s}`],
    'a line of several': [solidWord, (s) => `connection failed\n  password: ${s}\n  host: db`],
    'a long message': [solidWord, (s) => `${'so many words '.repeat(20)} password=${s}`],
    'a URL cut in its password': [
      anySolid,
      (s) => `x://${'y'.repeat(3_940)}@ postgres://app:${s.repeat(20)}@db/orders`,
    ],
    'a message cut in the secret': [
      anySpaced,
      (s) => `x://${'y'.repeat(3_940)}@ password="${s.repeat(4).replace(/[\\"]/g, '\\$&')}"`,
    ],
  }

  it('has 24 templates', () => expect(Object.keys(TEMPLATES)).toHaveLength(24))

  /** Every piece of four characters that a template shows for one secret and not for another. */
  const pieces = (text: string): Set<string> =>
    new Set(Array.from({ length: Math.max(0, text.length - 3) }, (_, i) => text.slice(i, i + 4)))

  it.each(Object.entries(TEMPLATES))('as %s', (_name, [secret, place]) => {
    const frame = maskSecrets(place('Zq8Zq8Zq8Zq8Zq8Zq8'))
    expect(frame).not.toContain('Zq8')
    const own = pieces(place(''))
    fc.assert(
      fc.property(secret, (hidden) => {
        const masked = pieces(maskSecrets(place(hidden)))
        const left = [...pieces(hidden)].filter((piece) => masked.has(piece) && !own.has(piece))
        expect(left).toEqual([])
      }),
      { numRuns: 150 },
    )
  })
})

describe('whatever it is given', () => {
  it('is at most 300 characters long, on one line, without control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000, size: 'max' }), (message) => {
        const masked = maskSecrets(message)
        expect(masked.length).toBeLessThanOrEqual(300)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
        expect(masked).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
      }),
      { numRuns: 200 },
    )
  })

  it('keeps 300 characters and cuts 301, and says that it cut', () => {
    expect(maskSecrets('a'.repeat(300))).toBe('a'.repeat(300))
    expect(maskSecrets('a'.repeat(301))).toBe(`${'a'.repeat(299)}…`)
  })

  it('a masked message that is masked again shows no more', () => {
    for (const [message, secrets] of ROWS) {
      const twice = maskSecrets(maskSecrets(message))
      for (const secret of secrets) expect(twice).not.toContain(secret)
    }
  })

  const HOSTILE = [
    ...['a', ' ', '@', ':', '=', '"', "'", '\\', '?', '&', '://', 'a:', 'a:a@', '\\"', '\u0000', '-'],
    ...['http://', 'password', 'password ', 'password:', 'password="', 'password is ', 'password\\\\"'],
    ...['secret_', 'bearer ', 'bearer', 'Authorization: ', 'cookie', '?a=', 'eyJ', 'sk-', 'identified by '],
    ...['-----BEGIN A-----', '-----BEGIN A', '\n', 'passwordpassword="\n', 'api key'],
  ]

  it.each(HOSTILE.map((piece) => [piece]))('a megabyte of %j takes no time', (piece) => {
    const message = piece.repeat(Math.ceil(1_048_576 / piece.length))
    const start = performance.now()
    expect(maskSecrets(message).length).toBeLessThanOrEqual(300)
    expect(performance.now() - start).toBeLessThan(1_000)
  })
})
