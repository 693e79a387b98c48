import { lib } from '../../tsdown.base.mjs'

const entries = ['index', 'mysql', 'node', 'postgres', 'redis', 'shared']

export default lib(entries.map((name) => `src/${name}.ts`))
