import { createHealth } from '@baldur/health-core'
import { postgresCheck } from '@baldur/health-core/postgres'
import { baldurHealth } from '@baldur/health-fastify'
import Fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
pool.on('error', (error) => console.error(error.message)) // an idle connection's error would end the process
const health = createHealth({ databases: { default: postgresCheck(pool) } })

const app = Fastify()
await app.register(baldurHealth, { health }) // first, and awaited: before auth and rate limits
app.get('/', () => 'hello')
console.log(await app.listen({ port: Number(process.env.PORT ?? 3000) }))
