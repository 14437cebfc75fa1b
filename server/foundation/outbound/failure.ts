export type FailureKind =
  | 'connect'
  | 'connect_timeout'
  | 'first_byte_timeout'
  | 'idle_timeout'
  | 'total_timeout'
  | 'aborted'
  | 'network'
  | 'address'
  | 'unpacking'

/** Why there is no answer, or not all of it. The text names no address: it may be somebody's own, or hold a key. */
export class OutboundFailure extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, options?: ErrorOptions) {
    super(`outbound request: ${kind.replaceAll('_', ' ')}`, options)
    this.name = 'OutboundFailure'
    this.kind = kind
  }
}
