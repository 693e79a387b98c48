import { lib } from '../../tsdown.base.mjs'

export default lib(
  ['index', 'disk', 'event-loop', 'heal', 'http', 'memory', 'node', 'postgres', 'shared', 'tcp'].map(
    (name) => `src/${name}.ts`,
  ),
)
