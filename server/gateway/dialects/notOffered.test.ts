import { describe, expect, test } from 'vitest'
import type { Dialect } from '#contract/gateway.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { refuseNotOffered, withoutOmitted } from './notOffered.ts'

function refusedField(dialect: Dialect, body: Record<string, unknown>): string | null {
  try {
    refuseNotOffered(dialect, body)
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    expect(error.key).toBe('requestValidationError')
    return error.detail?.[0]?.loc.slice(1).join('.') ?? ''
  }
}

const item = (content: unknown) => ({ type: 'message', role: 'user', content: [content] })
const message = (content: unknown) => ({ role: 'user', content: [content] })

describe('of a request of chat completions', () => {
  test.each([
    ['n', { n: 2 }],
    ['service_tier', { service_tier: 'priority' }],
    ['web_search_options', { web_search_options: {} }],
    ['tools.0.type', { tools: [{ type: 'web_search' }] }],
    ['messages.0.content.0.file.file_id', { messages: [message({ type: 'file', file: { file_id: 'file-1' } })] }],
    ['messages.0.audio', { messages: [{ role: 'assistant', audio: { id: 'audio-1' } }] }],
    ['mcp_servers', { mcp_servers: [{ url: 'https://example.org' }] }],
  ])('%s is refused by its name', (field, body) => {
    expect(refusedField('chat', body)).toBe(field)
  })
  test.each([
    { n: 1, service_tier: 'auto', store: true, metadata: { file_id: 'mine' } },
    { n: null, tools: [], messages: [message({ type: 'file', file: { file_data: 'data:', filename: 'a.pdf' } })] },
    { tools: [{ type: 'function', function: { name: 'f', parameters: { properties: { file_id: {} } } } }] },
    { messages: [message({ type: 'input_audio', input_audio: { data: '', format: 'wav' } })], unknown_field: 1 },
  ])('%j is not', body => {
    expect(refusedField('chat', body)).toBe(null)
  })
})

describe('of a request of responses', () => {
  test.each([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: { id: 'conv_1' } }],
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    ['background', { background: true }],
    ['service_tier', { service_tier: 'priority' }],
    ['tools.0.type', { tools: [{ type: 'mcp', server_url: 'https://example.org' }] }],
    ['tools.1.type', { tools: [{ type: 'function' }, { type: 'code_interpreter' }] }],
    ['tools.0.tools.0.type', { tools: [{ type: 'namespace', tools: [{ type: 'image_generation' }] }] }],
    ['input.0.tools.0.type', { input: [{ type: 'additional_tools', tools: [{ type: 'file_search' }] }] }],
    ['input.0', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['input.0', { input: [{ id: 'msg_1' }] }],
    ['input.0.content.0.file_id', { input: [item({ type: 'input_file', file_id: 'file-1' })] }],
    ['input.0.content.0.file_id', { input: [item({ type: 'input_image', file_id: 'file-1' })] }],
    ['input.0.container_id', { input: [{ type: 'code_interpreter_call', container_id: 'cntr_1' }] }],
  ])('%s is refused by its name', (field, body) => {
    expect(refusedField('responses', body)).toBe(field)
  })
  test.each([
    { input: 'A question', store: true, previous_response_id: null, background: false },
    { input: [{ type: 'function_call', call_id: 'c', name: 'read', arguments: '{"file_id":"mine"}' }] },
    {
      tools: [
        { type: 'custom', name: 'patch' },
        { type: 'namespace', tools: [{ type: 'function' }] },
      ],
    },
    { input: [item({ type: 'input_image', image_url: 'data:image/png;base64,AAAA', file_id: null })] },
  ])('%j is not', body => {
    expect(refusedField('responses', body)).toBe(null)
  })
  test('the search of the web that Codex always names is left out, and one that is meant is refused', () => {
    const own = { type: 'function', name: 'shell' }
    const search = { type: 'web_search', external_web_access: true }
    const named = { tools: [own, search] }
    expect(withoutOmitted('responses', named)).toEqual({ tools: [own] })
    expect(withoutOmitted('responses', { tools: [{ ...search, external_web_access: false }] })).toEqual({ tools: [] })
    for (const meant of [{ tools: [search] }, { tools: [search, own], tool_choice: { type: 'web_search' } }])
      expect(refusedField('responses', withoutOmitted('responses', meant))).toBe('tools.0.type')
    const body = { tools: [own] }
    expect(withoutOmitted('responses', body)).toBe(body)
    expect(withoutOmitted('chat', named)).toBe(named)
  })
})

describe('of a request of messages', () => {
  test.each([
    ['container', { container: 'container_1' }],
    ['mcp_servers', { mcp_servers: [{ type: 'url', url: 'https://example.org' }] }],
    ['service_tier', { service_tier: 'priority' }],
    ['speed', { speed: 'fast' }],
    ['tools.0.type', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
    ['tools.0.type', { tools: [{ type: 'code_execution_20250825' }] }],
    ['tools.0.type', { tools: [{ type: 'mcp_toolset' }] }],
    ['messages.0.content.0.source.file_id', { messages: [message({ source: { type: 'file', file_id: 'f' } })] }],
    ['messages.0.content.0', { messages: [message({ type: 'container_upload', file_id: 'f' })] }],
    ['system.0.source.file_id', { system: [{ source: { file_id: 'f' } }] }],
  ])('%s is refused by its name', (field, body) => {
    expect(refusedField('messages', body)).toBe(field)
  })
  test.each([
    { tools: [{ name: 'Read', input_schema: { properties: { file_id: {} } }, defer_loading: true }], mcp_servers: [] },
    {
      tools: [
        { type: 'bash_20250124', name: 'bash' },
        { type: 'custom', name: 'x' },
      ],
    },
    { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: { file_id: 1 } }] }] },
    { system: 'Be kind', thinking: { type: 'adaptive' }, context_management: {}, output_config: { effort: 'high' } },
  ])('%j is not', body => {
    expect(refusedField('messages', body)).toBe(null)
  })
})
