/** What to make of the status codes of the app's own answers. */
export interface ObserveOptions {
  /** Answers of 503 in a row that take the instance out of rotation. @default 3 */
  readonly fall?: number | undefined
  /** For how long, in milliseconds from the last of them; a 504 degrades the verdict for as long. @default 10000 */
  readonly holdMs?: number | undefined
}

/** Takes the status code of one answer of the app, and what stands for it (its response): however often that is told, it counts once. */
export type ObserveResponse = (status: number, response: object) => void
