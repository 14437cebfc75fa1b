/**
 * The database cannot be used as it is. The message is one plain line for the operator, without any secret, and ends
 * with what helps.
 */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable'
  /** What is wrong, alone. */
  readonly what: string
  /** What helps, in sentences; null where nobody knows. */
  readonly remedy: string | null

  constructor(what: string, { cause, remedy = null }: { cause?: unknown; remedy?: string | null } = {}) {
    super(remedy === null ? what : `${what}. ${remedy}`, { cause })
    this.what = what
    this.remedy = remedy
  }
}

/** The connection to the database is lost, or there is none. Nobody's mistake: it passes without a restart. */
export class DatabaseUnreachable extends Error {
  override name = 'DatabaseUnreachable'
}

/** The reason in one line. A refused connection is an AggregateError without a message: one error for each address. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join(', ')
  return cause instanceof Error ? cause.message : String(cause)
}
