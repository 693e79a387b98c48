/** A program that the keeper starts and ends; with `endSignal` it may clean up before it is killed. */
export interface ProcessSpec {
  command: string
  args: readonly string[]
  cwd: string
  env: Record<string, string>
  uid?: number
  gid?: number
  endSignal?: NodeJS.Signals
}

/** What the owner may ask of the keeper; processes are named by a key that the owner chose. */
export interface KeeperOperations {
  start: { takes: { key: number; spec: ProcessSpec }; gives: number }
  signal: { takes: { key: number; signal: NodeJS.Signals }; gives: undefined }
  pause: { takes: { key: number }; gives: undefined }
  resume: { takes: { key: number }; gives: undefined }
  kill: { takes: { key: number }; gives: undefined }
  titles: { takes: { key: number }; gives: string[] }
  watch: { takes: { pid: number }; gives: undefined }
  unwatch: { takes: { pid: number }; gives: undefined }
}

export interface KeeperRequest {
  id: number
  op: keyof KeeperOperations
  takes: unknown
}

export type KeeperMessage =
  | { about: 'folder'; folder: string }
  | { about: 'reply'; id: number; value: unknown }
  | { about: 'failure'; id: number; message: string }
  | { about: 'output'; key: number; text: string }
  | { about: 'exit'; key: number; code: number | null; signal: NodeJS.Signals | null }
