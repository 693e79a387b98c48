/**
 * What would end a process with a code of its own, or open Node's inspector. Not SIGPIPE, which Node ignores: an address that
 * broke off must not hide another. Not SIGPROF, by which Node's profiler works. SIGKILL and faults of the machine cannot be caught.
 */
export const ENDING: readonly NodeJS.Signals[] = [
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  'SIGQUIT',
  'SIGABRT',
  'SIGALRM',
  'SIGUSR1',
  'SIGUSR2',
  'SIGVTALRM',
  'SIGXCPU',
  'SIGIO',
  'SIGTRAP',
  'SIGSYS',
]
