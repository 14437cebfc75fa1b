/** What a row says of its conversation, in words. */
export type RowState =
  | { kind: 'replying' }
  | { kind: 'queueing'; place: number }
  | { kind: 'answered' }
  | { kind: 'interrupted' }
  | { kind: 'failed' }
