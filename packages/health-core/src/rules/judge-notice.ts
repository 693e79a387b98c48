/** Classifies the response status of a webhook: `delivered`, `again` (retry), or `refused`. A redirect is refused. */
export function judgeNotice(status: number): 'delivered' | 'again' | 'refused' {
  if (status >= 200 && status < 300) return 'delivered'
  // request timeout, too early, too many requests: a retry may succeed
  return status >= 500 || status === 408 || status === 425 || status === 429 ? 'again' : 'refused'
}
