/** Something that a drain waits for. */
interface Work {
  /** For the log: method and path without the query, or what the caller named it. */
  readonly label: string
  /** Not shown in the count, which is of the app's requests. */
  readonly isProbe?: boolean
  /** Ends it at once. Absent where nothing can. */
  readonly abort?: () => void
}

/** What is under way, each thing once. */
export interface InFlight {
  /** False when it is known already. */
  add(subject: object, work: Work): boolean
  has(subject: object): boolean
  remove(subject: object): void
  /** How many, probes left out. */
  readonly count: number
  readonly isEmpty: boolean
  /** Aborts what is left, and returns the labels. */
  abortAll(): readonly string[]
}

export function createInFlight(): InFlight {
  const works = new Map<object, Work>()
  let probes = 0
  return {
    add: (subject, work) => {
      if (works.has(subject)) return false
      works.set(subject, work)
      if (work.isProbe) probes += 1
      return true
    },
    has: (subject) => works.has(subject),
    remove: (subject) => {
      const work = works.get(subject)
      if (work === undefined) return
      works.delete(subject)
      if (work.isProbe) probes -= 1
    },
    get count() {
      return works.size - probes
    },
    get isEmpty() {
      return works.size === 0
    },
    abortAll: () => {
      const rest = [...works.values()]
      works.clear()
      probes = 0
      for (const { abort } of rest) abort?.()
      return rest.map(({ label }) => label)
    },
  }
}
