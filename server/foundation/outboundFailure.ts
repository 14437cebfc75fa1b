export type FailureKind =
  | 'connect'
  | 'connect_timeout'
  | 'first_byte_timeout'
  | 'idle_timeout'
  | 'total_timeout'
  | 'aborted'
  | 'network'
  | 'address'

/** Why there is no answer, or not all of it. The text names no address: it may be somebody's own, or hold a key. */
export class OutboundFailure extends Error {
  readonly kind: FailureKind
  /** The other side had closed a connection that was kept, before it answered: another connection may do. */
  readonly staleConnection: boolean

  constructor(kind: FailureKind, { cause, staleConnection = false }: { cause?: unknown; staleConnection?: boolean } = {}) {
    super(`outbound request: ${kind.replaceAll('_', ' ')}`, { cause })
    this.name = 'OutboundFailure'
    this.kind = kind
    this.staleConnection = staleConnection
  }
}
