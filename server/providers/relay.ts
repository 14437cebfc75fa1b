import type { Dialect } from '#contract/gateway.ts'

/** How an upstream begins to answer a request that is passed on. Header names in small letters. */
export type RelayHead = { status: number; content_type: string; headers: Readonly<Record<string, string>> }

/** Takes the answer to a request that is passed on. */
export type RelaySink = {
  /** The upstream has begun to answer. Called at most once, before anything is written. */
  began(head: RelayHead): void
  /**
   * One or several whole events of a stream, byte for byte, or a piece of an answer that is not streamed. More is read
   * when this has resolved; null: at once.
   */
  write(bytes: Uint8Array): Promise<void> | null
  /**
   * The upstream refuses in a way that the tool is to see as it is: what is wrong with the request, or its content. The
   * ask fails afterwards. Keys and addresses are taken out of the body.
   */
  refused(answer: { status: number; content_type: string; body: Uint8Array }): void
}

/** A request as it is sent in a dialect, and who takes the answer, which is in this dialect too. */
export type RelayForm = {
  dialect: Dialect
  /** It asks for vectors in place of an answer: at another address of the same upstreams. */
  embeddings?: boolean
  /** As it came, but for what is never passed on. The provider puts the name of the model into it. */
  body: Readonly<Record<string, unknown>>
  /** Further headers to be sent, in small letters, such as `anthropic-beta`: never keys or addresses. */
  headers: Readonly<Record<string, string>>
  to: RelaySink
}

/** What a request asks for: an answer in a dialect, or vectors. */
export type RelayKind = Dialect | 'embeddings'

export const relayKind = ({ dialect, embeddings }: Pick<RelayForm, 'dialect' | 'embeddings'>): RelayKind =>
  embeddings === true ? 'embeddings' : dialect

/** What has come of an answer that is passed on: counts, never its texts. Null: the upstream has not said yet. */
export type Metered = {
  /** Whether the model has made anything: text, thoughts, a call of a tool. */
  has_output: boolean
  /** With what came from the cache. */
  input_tokens: number | null
  cached_tokens: number | null
  /** Of the whole answer. */
  output_tokens: number | null
  /** Of what has passed, as it was counted here. */
  counted_tokens: number
}
