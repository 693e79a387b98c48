/**
 * What a runner is doing.
 * - `starting`: its process runs; its port has not opened, or it has said nothing yet
 * - `setup`: it has said that its setup is under way
 * - `idle`, `running`: ready, without and with requests
 * - `draining`: it gets no further request; those in flight go on
 * - `terminating`: it was sent SIGTERM
 * - `crash_backoff`: no process; the next one is started later
 */
export type RunnerState =
  | 'starting'
  | 'setup'
  | 'idle'
  | 'running'
  | 'draining'
  | 'terminating'
  | 'crash_backoff'

/** Why a runner leaves. */
export type EndReason =
  | 'answered_503'
  | 'timed_out'
  | 'connection_broken'
  | 'health_check_failed'
  | 'start_timed_out'
  | 'setup_failed'
  | 'exited'
  | 'scaled_down'
  | 'stopped'
