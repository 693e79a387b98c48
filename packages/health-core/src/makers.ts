import { databaseFromDsn } from './checks/database-from-dsn.ts'
import type { Makers } from './options/settings.ts'
import { appName } from './stores/app-name.ts'
import { storeOfUrl } from './stores/own-redis-client.ts'
import { redisStore } from './stores/redis-store.ts'

/** The factories that the settings reader calls. */
export const MAKERS: Makers = { databaseFromDsn, storeOfUrl, storeOfClient: redisStore, appName }
