/** Headers that say who asks. The queue does not keep them unless it is told to. */
export const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization'] as const
