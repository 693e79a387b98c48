export { type FaultProxy, faultProxy } from './fault-proxy.ts'
export { freePort } from './free-port.ts'
export { type HaproxyOptions, type PrivateHaproxy, startHaproxy } from './haproxy.ts'
export type { HaproxyFaults, HaproxyServer, HaproxyStats } from './haproxy-stats.ts'
export { isAlive } from './is-alive.ts'
export { type JumpingClock, jumpingClock } from './jumping-clock.ts'
export { type MariadbOptions, startMariadb } from './mariadb.ts'
export { minimalEnv } from './minimal-env.ts'
export { type NginxAccess, type NginxOptions, nginxPaths, type PrivateNginx, startNginx } from './nginx.ts'
export { type PostgresOptions, type PrivatePostgres, startPostgres } from './postgres.ts'
export type { PrivateServer } from './private-server.ts'
export { type ProgramName, programFile } from './programs.ts'
export {
  type PrivatePrometheus,
  type PrometheusOptions,
  type PrometheusSample,
  startPrometheus,
} from './prometheus.ts'
export { type PromtoolVerdict, promtool } from './promtool.ts'
export {
  type RawConnection,
  type RawConnectionOptions,
  type ReadOptions,
  rawConnection,
  type TimedResponse,
} from './raw-connection.ts'
export type { RawHead, RawHeader } from './raw-head.ts'
export { type RawRequestOptions, rawRequest } from './raw-request.ts'
export type { RawResponse } from './raw-response.ts'
export { type RedisOptions, startRedis } from './redis.ts'
export { selfSigned } from './self-signed.ts'
export { type AppExit, type SpawnAppOptions, type SpawnedApp, spawnApp } from './spawn-app.ts'
export { type UntilOptions, until } from './until.ts'
