import type { Dialect } from '#contract/gateway.ts'

/** What a snippet is made of. The address has no `/v1`; the key is whole, or a name in its place. */
export type SnippetValues = { address: string; key: string; model: string }

/** A tool that asks through the portal. */
export type Tool = {
  /** In the address of the page. */
  id: string
  name: string
  /** Two letters in place of a logo. */
  mark: string
  dialect: Dialect
  /** The file into which the snippet goes; null for the terminal. */
  file: string | null
  /** How it is installed. */
  install: string | null
  snippet(values: SnippetValues): string
  /** What the portal calls it when it has asked. */
  isSeenAs: RegExp
}
