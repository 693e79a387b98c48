import { databaseFromDsn } from './checks/database-from-dsn.ts'
import type { Makers } from './options/settings.ts'
import { appName } from './stores/app-name.ts'
import { storeOfUrl } from './stores/own-redis-client.ts'
import { redisStore } from './stores/redis-store.ts'

/** What settings are read with. */
export const MAKERS: Makers = { databaseFromDsn, storeOfUrl, storeOfClient: redisStore, appName }
