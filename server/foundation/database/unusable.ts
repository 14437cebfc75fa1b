/** The database cannot be used as it is. The message is one plain line for the operator, without any secret. */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable'
}

/** The reason in one line. A refused connection is an AggregateError without a message: one error for each address. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join(', ')
  return cause instanceof Error ? cause.message : String(cause)
}
