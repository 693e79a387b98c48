const NEEDED = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'SystemRoot']

/** The few variables a program needs to run at all, so that nothing of the test runner's own environment leaks in. */
export function minimalEnv(): Record<string, string> {
  return Object.fromEntries(
    NEEDED.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
