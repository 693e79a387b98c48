import { TIMEOUT_S } from './read-arguments.ts'

export const HELP: string = `baldur-healthcheck [--port N] [--path PATH] [--timeout SECONDS]
baldur-healthcheck [--timeout SECONDS] URL

Asks the admin server, or any http or https URL. Exit code 0 when it answers 200, 1 in every other case.

  --port N           of the admin server on this machine; BALDUR_ADMIN_PORT, or 9090
  --path PATH        /liveness; /readiness asks whether it can serve
  --timeout SECONDS  for everything, ${TIMEOUT_S} unless it is said; 0.1 to 300
  URL                asks that instead, such as http://localhost:3000/health/ready

localhost is 127.0.0.1 and ::1: the first 200 counts.
`
