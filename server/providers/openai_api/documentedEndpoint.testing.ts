/** An endpoint in the form that its makers document: what is set for it, what it lists, and how it streams. */
export type DocumentedEndpoint = {
  name: string
  /** The path of the base address, as an administrator enters it. */
  base: string
  environment?: Record<string, string>
  /** What answers `GET models`; a number is a status. */
  models: unknown
  /**
   * What it answers in an API of its own when its models are read: the requests in their order, and the answer of each
   * path.
   */
  native?: { requests: readonly (readonly [method: string, path: string])[]; answers: Record<string, unknown> }
  /** The events of an answer; each says "Hello there." in its own way. */
  events: readonly string[]
  /** Where requests must arrive, and with which header. */
  folder: string
  query?: string
  header?: string
  /** Code and context length of each model that is offered. */
  offered: readonly (readonly [code: string, context_length: number | null])[]
  /** The name by which the first of them is asked. */
  asked: string
}

export const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
export const DONE = 'data: [DONE]\n\n'
export const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) =>
  event({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
    ...more,
  })
export const listed = (owned_by: string, ...ids: string[]) => ({
  object: 'list',
  data: ids.map(id => ({ id, object: 'model', created: 1_760_000_000, owned_by })),
})
