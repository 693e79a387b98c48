/** What a runner has said last of its start. */
export type StartWord = 'setup' | 'ready' | undefined

/** Whether it may be given requests. An open port is enough of one that says nothing; no word is enough without a port. */
export const isReady = (said: StartWord, isPortOpen: boolean): boolean => isPortOpen && said !== 'setup'
