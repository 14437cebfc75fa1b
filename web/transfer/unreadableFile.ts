import type { PlainKey } from '#web/i18n/dictionary.ts'

/** Why a file, or a conversation of it, is not imported: a key of the language files. */
export type ImportReason = Extract<PlainKey, `transfer.no.${string}`>

/** The file as a whole cannot be read. */
export class UnreadableFile extends Error {
  readonly reason: ImportReason
  /** The product that made the export, where it is recognised. */
  readonly product: string | null

  constructor(reason: ImportReason, { product = null, ...options }: ErrorOptions & { product?: string | null } = {}) {
    super(reason, options)
    this.reason = reason
    this.product = product
  }
}

/** `reason` is a key of the page, or the refusal of the server. */
export type RefusedConversation = { title: string; reason: string }
