import { generate } from 'selfsigned'

/** A key and a certificate for `localhost` and 127.0.0.1 that nobody else trusts, in PEM. */
export async function selfSigned(): Promise<{ readonly key: string; readonly cert: string }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
  })
  return { key, cert }
}
