import { app } from '../../tsdown.base.mjs'

export default app(['src/server.ts', 'src/runner.ts'])
