/**
 * What an anonymous caller may learn about a failure: one of these codes with its fixed text. A code that is not here
 * reads `ERROR`, since a driver's own fields can hold anything.
 */
export const CODES = {
  ERROR: 'check failed',
  TIMEOUT: 'no answer',
  INVALID_RESULT: 'check returned something that is not a result',
  NOT_USABLE: 'not usable',
  NO_DATABASE: 'no database configured',
  NOT_CHECKED: 'not checked yet',
  CLOSED: 'health is closed',
  READ_ONLY: 'server is read-only',
  ANSWERED_503: 'the service answered 503 several times in a row',
  ANSWERED_504: 'the service answered 504',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ECONNABORTED: 'connection aborted',
  EPIPE: 'connection closed by the other side',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  EHOSTDOWN: 'host down',
  ENETUNREACH: 'network unreachable',
  EADDRNOTAVAIL: 'no local address available',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files in the system',
  EACCES: 'access denied',
  EPERM: 'not permitted',
  ENOENT: 'no such file or socket',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'name service not available',
  EPROTO: 'protocol error',
  CERT_HAS_EXPIRED: 'certificate expired',
  CERT_NOT_YET_VALID: 'certificate not yet valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'self-signed certificate in chain',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate not verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate issuer unknown',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another host',
  CERT_UNTRUSTED: 'certificate not trusted',
  CERT_REVOKED: 'certificate revoked',
  TLS_FAILED: 'TLS handshake failed',
  NOT_HTTP: 'answer is not HTTP',
  DISK_FULL: 'free space below what is wanted',
  INODES_FULL: 'free inodes below what is wanted',
  EROFS: 'file system is read-only',
  ENOTDIR: 'not a directory',
  EIO: 'input/output error',
  ESTALE: 'stale file handle',
  EVENT_LOOP_BLOCKED: 'event loop was blocked',
  EVENT_LOOP_BUSY: 'event loop has no time to spare',
  HEAP_HIGH: 'heap is close to its limit',
  MEMORY_HIGH: 'memory is close to the limit of the container',
} as const

/** An answer of an HTTP service that was not wanted reads `HTTP_` and its status; these deserve their own words. */
export const HTTP_STATUSES = {
  HTTP_401: 'credentials wanted',
  HTTP_403: 'access denied',
  HTTP_404: 'no such path',
  HTTP_429: 'too many requests',
  HTTP_502: 'bad gateway',
  HTTP_503: 'service unavailable',
  HTTP_504: 'gateway timed out',
} as const

/** The first digit of an HTTP status names its class (RFC 9110, section 15). */
export const HTTP_CLASSES = {
  HTTP_1: 'not the status that is wanted',
  HTTP_2: 'not the status that is wanted',
  HTTP_3: 'redirected, which is not followed',
  HTTP_4: 'request refused',
  HTTP_5: 'server failed',
} as const

/** SQLSTATE codes that deserve their own words. */
export const SQLSTATES = {
  '28P01': 'authentication failed',
  '28000': 'authentication failed',
  '3D000': 'database does not exist',
  '53300': 'too many connections',
  '57P01': 'server is shutting down',
  '57P02': 'server crashed',
  '57P03': 'server is starting or stopping',
  '57014': 'query cancelled',
  '25006': 'server is read-only',
  '42501': 'permission denied',
} as const

/** The first two characters of a SQLSTATE name its class (PostgreSQL manual, appendix A). */
export const SQLSTATE_CLASSES = {
  '08': 'connection failed',
  '25': 'transaction state does not allow it',
  '28': 'authentication failed',
  '3D': 'database does not exist',
  '42': 'statement refused',
  '53': 'server is out of resources',
  '54': 'limit of the server exceeded',
  '55': 'server is in another state',
  '57': 'stopped by the server',
  '58': 'system error of the server',
  XX: 'internal error of the server',
} as const

/** What a Redis server answers instead, by the word that its error begins with, and what its client says. */
export const REDIS_CODES = {
  NOT_CONNECTED: 'client is not connected',
  NOAUTH: 'authentication required',
  WRONGPASS: 'authentication failed',
  NOPERM: 'permission denied',
  LOADING: 'server is loading its data',
  MASTERDOWN: 'replica has lost its primary',
  CLUSTERDOWN: 'cluster is down',
  MAXCLIENTS: 'too many connections',
  BUSY: 'server is busy with a script',
  MISCONF: 'server cannot persist and refuses writes',
  NOREPLICAS: 'too few replicas, writes are refused',
  OOM: 'server is out of memory',
} as const

/** Names of MySQL's and MariaDB's errors, and of their driver's. */
export const MYSQL_CODES = {
  ER_ACCESS_DENIED_ERROR: 'authentication failed',
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: 'authentication failed',
  ER_DBACCESS_DENIED_ERROR: 'no access to the database',
  ER_BAD_DB_ERROR: 'database does not exist',
  ER_CON_COUNT_ERROR: 'too many connections',
  ER_TOO_MANY_USER_CONNECTIONS: 'too many connections of this user',
  ER_HOST_NOT_PRIVILEGED: 'server takes no connections from here',
  ER_HOST_IS_BLOCKED: 'server blocks this host after failed connections',
  ER_SERVER_SHUTDOWN: 'server is shutting down',
  ER_UNKNOWN_COM_ERROR: 'server does not take the command now',
  HANDSHAKE_NO_SSL_SUPPORT: 'server offers no TLS',
  HANDSHAKE_SSL_ERROR: 'TLS handshake failed',
} as const
