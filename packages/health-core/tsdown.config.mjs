import { lib } from '../../tsdown.base.mjs'

export default lib(['src/index.ts', 'src/node.ts', 'src/postgres.ts', 'src/shared.ts'])
