/** Options for judging the app by the status codes of its own responses. */
export interface ObserveOptions {
  /** Number of 503 responses in a row that take the instance out of rotation. @default 3 */
  readonly fall?: number | undefined
  /** How long, in milliseconds from the last of them; a 504 degrades the verdict for the same time. @default 10000 */
  readonly holdMs?: number | undefined
}

/** Records the status code of one response of the app. Repeated calls with the same response object count once. */
export type ObserveResponse = (status: number, response: object) => void
