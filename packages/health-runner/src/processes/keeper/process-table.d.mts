/** Whether a process of this group still runs; one that has ended, and only waits to be noticed, does not. */
export function isGroupAlive(group: number): boolean
/** Whether a process has ended, although its parent has not been told yet. False where there is no table of processes. */
export function hasEnded(pid: number): boolean
/** The processes of this group. Empty where there is no table of processes. */
export function membersOf(group: number): number[]
/** The running processes that have all these variables, each as `NAME=value`. */
export function markedWith(variables: readonly string[]): number[]
