import type { PlainKey } from '#web/i18n/dictionary.ts'

/** Why a file, or a conversation of it, is not taken. Keys of the language files. */
export type ImportReason = Extract<PlainKey, `transfer.no.${string}`>

/** The file as a whole cannot be read. */
export class UnreadableFile extends Error {
  readonly reason: ImportReason
  /** Whose export it is, where that is known and cannot be read. */
  readonly product: string | null

  constructor(reason: ImportReason, { product = null, ...options }: ErrorOptions & { product?: string | null } = {}) {
    super(reason, options)
    this.reason = reason
    this.product = product
  }
}

export type RefusedConversation = { title: string; reason: string }
