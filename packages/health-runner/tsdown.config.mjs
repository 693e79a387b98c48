import { app, lib } from '../../tsdown.base.mjs'

export default [
  lib(['src/index.ts']),
  // programs of their own: the command, and what watches over the processes when nobody else does any more
  {
    ...app({ 'baldur-runner': 'src/command/main.ts', keeper: 'src/processes/keeper/main.mjs' }),
    clean: false,
  },
]
