import type { ToolCall } from '../toolCall.ts'

/** An answer in a dialect: what comes before its tokens, with each of them, and behind. */
export type DialectFrames = {
  opening: string
  token: (text: string, index: number) => string
  /** `reason`: why it ended, in the words of chat completions. */
  closing: (text: string, reason: string) => string
  call: (call: ToolCall) => string
  /** An error in the middle of it. */
  error: (error: { code: string; message: string }) => string
  whole: (text: string, call: ToolCall | null, reason: string) => object
}

export const frame = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
