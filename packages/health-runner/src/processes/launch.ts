import { CONTROL_NAME, CONTROL_PATH } from '../control/protocol.ts'
import { RUNNER_HOST } from './free-ports.ts'
import { isSomebodyElses } from './port-owner.ts'
import { type ProcessHandle, startProcess } from './process-handle.ts'
import type { Shared } from './shared.ts'

export interface Launched {
  readonly child: ProcessHandle
  /** Whether the port, which is open, is another program's. */
  isForeign(): Promise<boolean>
}

/** Starts a runner's process with all its variables, and has the keeper watch it. */
export function launch(
  { name, port }: { readonly name: string; readonly port: number },
  { settings, controlPath, keeper, logger }: Shared,
  onExit: (detail: string) => void,
): Launched {
  const variables = { [CONTROL_PATH]: controlPath, [CONTROL_NAME]: name }
  const env = { ...settings.runnerEnv, HOST: RUNNER_HOST, PORT: String(port), ...variables }
  const child = startProcess({ ...settings, env, logger, onExit })
  const { pid } = child
  if (pid !== undefined) keeper.watch(pid)
  const marks = Object.entries(variables).map(([key, value]) => `${key}=${value}`)
  return {
    child,
    isForeign: async () => pid !== undefined && (await isSomebodyElses(port, pid, marks)),
  }
}
