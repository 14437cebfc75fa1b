import type { Fields } from '#server/providers/looseJson.ts'

/** An event of a stream, as it is written: `event: …` where it has a name, then `data: …`. */
export type StreamEvent = { event: string | null; data: Fields }

/** Why an answer did not become whole. `code`: as the upstream or the portal has it. */
export type AnswerError = { message: string; code: string | null }

/** What a tool is called in the dialect of the request. A namespace is codex's: a folder of tools. */
export type ToolName = { kind: 'function' | 'custom'; name: string; namespace: string | null }

/** By the name that the upstream knows. */
export type ToolNames = ReadonlyMap<string, ToolName>

/** What an answer is made of beside what the upstream says. */
export type AnswerOptions = {
  id: string
  /** As the request named it. */
  model: string
  tools: ToolNames
  /** Counted by the gateway: said until the upstream counts. */
  input_tokens: number
}

/** Reads an answer that is a stream, and writes another. Nothing comes after its end, whatever is pushed. */
export type StreamTranslator = {
  push(chunk: unknown): StreamEvent[]
  /** The upstream has said all that it says: an answer that is not whole ends with an error. */
  end(): StreamEvent[]
  fail(error: AnswerError): StreamEvent[]
}

export type WholeAnswer = { answer: Fields } | { error: AnswerError }

/** The end of a stream that has said neither that its answer is whole nor what is wrong. */
export const CUT_SHORT: AnswerError = { message: 'The upstream ended before its answer was complete', code: null }

/** What of a request has no counterpart. A name that could be anything is not repeated. */
export const refusedName = (of: string, type: unknown): string =>
  typeof type === 'string' && /^[\w.-]{1,64}$/.test(type) ? `${of}.${type}` : `${of}.?`
