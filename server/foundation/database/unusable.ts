/** The database cannot be used as it is. The message is one plain line for whoever starts the program, without any secret. */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable'
}

/** What went wrong, in a line. (A refused connection is several errors with no message of their own, one for each address.) */
export function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join(', ')
  return cause instanceof Error ? cause.message : String(cause)
}
