import { lib } from '../../tsdown.base.mjs'

const checks = ['disk', 'event-loop', 'http', 'memory', 'mysql', 'postgres', 'redis', 'tcp']

export default lib(['index', 'heal', 'node', 'internal', ...checks].map((name) => `src/${name}.ts`))
