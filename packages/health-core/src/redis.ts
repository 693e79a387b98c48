export type { IoredisClient, NodeRedisClient } from './checks/redis/client.ts'
export { type RedisCheckOptions, redisCheck } from './checks/redis/redis-check.ts'
