import type { AskRequest } from '#contract/asking.ts'

/** What asking leaves to a source. */
export type AskPorts = {
  /** The only upstreams that have what the ask wants; null: any. Before admission: an upstream may have to be asked. */
  upstreamsFor?(request: AskRequest): Promise<ReadonlySet<number> | null>
}
