const NAME = 'baldur-admin-key'

/** The key, for as long as this tab is open. */
export interface KeyStore {
  get(): string | undefined
  set(key: string | undefined): void
}

export function keyStore(): KeyStore {
  let held = stored()
  return {
    get: () => held,
    set(key) {
      held = key
      try {
        if (key === undefined) sessionStorage.removeItem(NAME)
        else sessionStorage.setItem(NAME, key)
      } catch {
        // storage is switched off in this browser: it is asked for again after a reload
      }
    },
  }
}

function stored(): string | undefined {
  try {
    return sessionStorage.getItem(NAME) ?? undefined
  } catch {
    return undefined
  }
}
