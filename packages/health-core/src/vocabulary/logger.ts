/** Where the library writes: `console`, pino and Fastify's logger all fit. One string per line, secrets masked. */
export interface Logger {
  debug(line: string): void
  info(line: string): void
  warn(line: string): void
  error(line: string): void
}
