/** Stands in until the page is merged. */
export const renderPage = (): { body: string; headers: Record<string, string> } => ({
  body: '<!doctype html>',
  headers: { 'content-type': 'text/html; charset=utf-8' },
})
