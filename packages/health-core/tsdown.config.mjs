import { lib } from '../../tsdown.base.mjs'

export default lib(
  ['index', 'disk', 'event-loop', 'http', 'memory', 'node', 'postgres', 'shared', 'tcp'].map(
    (name) => `src/${name}.ts`,
  ),
)
