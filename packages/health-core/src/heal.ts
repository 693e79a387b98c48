export { recyclePool } from './checks/postgres/recycle-pool.ts'
export { reconnectRedis } from './checks/redis/reconnect-redis.ts'
