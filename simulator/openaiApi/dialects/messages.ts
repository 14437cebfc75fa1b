import type { Reply } from '../reply.ts'
import { type DialectFrames, frame } from './frames.ts'

/** POST /v1/messages, as Anthropic has it. */
export function messageFrames({ prompt_tokens, count }: Reply, about: { id: number; model: string }): DialectFrames {
  const message = (more: object) => ({
    ...{ id: `msg_simulated_${about.id}`, type: 'message', role: 'assistant', model: about.model, content: [] },
    ...{ stop_reason: null, stop_sequence: null },
    ...more,
  })
  const usage = (output_tokens: number) => ({
    ...{ input_tokens: prompt_tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens },
  })
  const block = { index: 0 }
  const end = (stop_reason: string) =>
    frame('content_block_stop', block) +
    frame('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: count } }) +
    frame('message_stop', {})
  const begin = frame('content_block_start', { ...block, content_block: { type: 'text', text: '' } })

  return {
    opening: frame('message_start', { message: message({ usage: usage(1) }) }) + frame('ping', {}),
    token: (text, index) =>
      (index === 0 ? begin : '') + frame('content_block_delta', { ...block, delta: { type: 'text_delta', text } }),
    closing: (_text, reason) => end(stopReason(reason)),
    call: ({ id, name, input }) =>
      frame('content_block_start', { ...block, content_block: { type: 'tool_use', id, name, input: {} } }) +
      frame('content_block_delta', { ...block, delta: { type: 'input_json_delta', partial_json: input } }) +
      end('tool_use'),
    error: ({ code, message: words }) => frame('error', { error: { type: code, message: words } }),
    whole: (text, call, reason) =>
      call === null
        ? message({ content: [{ type: 'text', text }], stop_reason: stopReason(reason), usage: usage(count) })
        : message({
            content: [{ type: 'tool_use', id: call.id, name: call.name, input: JSON.parse(call.input) }],
            stop_reason: 'tool_use',
            usage: usage(count),
          }),
  }
}

const REASONS: Record<string, string> = { stop: 'end_turn', length: 'max_tokens', content_filter: 'refusal' }
const stopReason = (reason: string): string => REASONS[reason] ?? reason
