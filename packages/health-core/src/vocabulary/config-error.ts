/** One thing that is wrong with the options or the environment. */
export interface ConfigProblem {
  /** The option's path or the variable's name. */
  readonly path: string
  /** What is allowed there. */
  readonly expected: string
  /** What was there, secrets masked. */
  readonly got: string
}

/** Settings that cannot work. Thrown at the start only, with every problem in one error. */
export class HealthConfigError extends Error {
  readonly code = 'BALDUR_CONFIG'
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.map(({ path, expected, got }) => `  ${path}: expected ${expected}, got ${got}`)
    super(
      `${problems.length === 1 ? 'a setting is' : `${problems.length} settings are`} wrong:\n${lines.join('\n')}`,
    )
    this.name = 'HealthConfigError'
    this.problems = problems
  }
}
