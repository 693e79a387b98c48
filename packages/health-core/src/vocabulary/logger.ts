/** The log of the library: `console`, pino and Fastify's logger all fit. Each call gets one line, secrets masked. */
export interface Logger {
  debug(line: string): void
  info(line: string): void
  warn(line: string): void
  error(line: string): void
}
