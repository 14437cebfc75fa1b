import type { ReadingRefusal, ReadingValues } from './reading.ts'

/** A file, or what is left of it, is not read. Anything else that is thrown in the worker means that it is broken. */
export class Unreadable extends Error {
  readonly reason: ReadingRefusal
  readonly values: ReadingValues

  constructor(reason: ReadingRefusal, values: ReadingValues = {}, options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
    this.values = values
  }
}
