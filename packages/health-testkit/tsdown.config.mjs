import { app } from '../../tsdown.base.mjs'

export default app(['src/index.ts', 'src/postgres.ts', 'src/programs.ts'])
