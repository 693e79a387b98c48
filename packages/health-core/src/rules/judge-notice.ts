/** What the answer of a webhook means: it has the notice, may take it later, or will not take it. A redirect is not followed. */
export function judgeNotice(status: number): 'delivered' | 'again' | 'refused' {
  if (status >= 200 && status < 300) return 'delivered'
  // request timeout, too early, too many requests: it may do better
  return status >= 500 || status === 408 || status === 425 || status === 429 ? 'again' : 'refused'
}
