/** Stands in until the metrics are merged. */
export const createMetrics = (
  _parts: object,
): { contentType: string; render(): Promise<string>; close(): void } => ({
  contentType: 'text/plain; version=0.0.4; charset=utf-8',
  render: async () => '',
  close: () => undefined,
})
