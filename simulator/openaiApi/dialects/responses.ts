import type { Reply } from '../reply.ts'
import type { ToolCall } from '../toolCall.ts'
import { type DialectFrames, frame } from './frames.ts'

/** POST /v1/responses, as OpenAI has it. */
export function responseFrames({ prompt_tokens, count }: Reply, about: { id: number; model: string }): DialectFrames {
  const id = `resp_simulated_${about.id}`
  const item_id = `msg_simulated_${about.id}`
  const at = { item_id, output_index: 0, content_index: 0 }
  let sequence_number = 0
  const next = (type: string, fields: object) => frame(type, { ...fields, sequence_number: sequence_number++ })
  const usage = {
    input_tokens: prompt_tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: count,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: prompt_tokens + count,
  }
  const response = (status: string, more: object = {}) => ({
    ...{ id, object: 'response', created_at: Math.floor(Date.now() / 1_000), status, error: null },
    ...{ incomplete_details: null, model: about.model, output: [], usage: null, store: false },
    ...more,
  })
  const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })
  const message = (status: string, content: object[]) => ({
    id: item_id,
    type: 'message',
    status,
    role: 'assistant',
    content,
  })
  const called = ({ id: call_id, name, input }: ToolCall, status: string) => ({
    ...{ id: `fc_simulated_${about.id}`, type: 'function_call', status, call_id, name, arguments: input },
  })
  const ended = (output: object[], reason: string) =>
    reason === 'length'
      ? response('incomplete', { output, usage, incomplete_details: { reason: 'max_output_tokens' } })
      : response('completed', { output, usage })
  const end = (output: object[], reason: string) =>
    next(reason === 'length' ? 'response.incomplete' : 'response.completed', { response: ended(output, reason) })
  const created = ['response.created', 'response.in_progress'].map(type =>
    next(type, { response: response('in_progress') }),
  )

  return {
    opening: created.join(''),
    token: (text, index) =>
      (index === 0 ? begin() : '') + next('response.output_text.delta', { ...at, delta: text, logprobs: [] }),
    closing: (text, reason) =>
      next('response.output_text.done', { ...at, text, logprobs: [] }) +
      next('response.content_part.done', { ...at, part: part(text) }) +
      next('response.output_item.done', { output_index: 0, item: message('completed', [part(text)]) }) +
      end([message('completed', [part(text)])], reason),
    call: call =>
      next('response.output_item.added', { output_index: 0, item: called({ ...call, input: '' }, 'in_progress') }) +
      next('response.function_call_arguments.delta', { item_id, output_index: 0, delta: call.input }) +
      next('response.function_call_arguments.done', { item_id, output_index: 0, arguments: call.input }) +
      next('response.output_item.done', { output_index: 0, item: called(call, 'completed') }) +
      end([called(call, 'completed')], 'stop'),
    error: error => next('response.failed', { response: response('failed', { error }) }),
    whole: (text, call, reason) =>
      ended([call === null ? message('completed', [part(text)]) : called(call, 'completed')], reason),
  }

  function begin(): string {
    return (
      next('response.output_item.added', { output_index: 0, item: message('in_progress', []) }) +
      next('response.content_part.added', { ...at, part: part('') })
    )
  }
}
