import { describe, expect, test } from 'vitest'
import { messagesToChat } from './messagesToChat.ts'

const ask = (fields: Record<string, unknown>) =>
  messagesToChat({ model: 'gpt-4', max_tokens: 32_000, messages: [{ role: 'user', content: 'Hi' }], ...fields })
const user = (...content: unknown[]) => [{ role: 'user', content }]
const PICTURE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const SHOWN = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
const TOOL = { name: 'Read', description: 'Reads', input_schema: { type: 'object', properties: {} } }

describe('a request of messages as a chat', () => {
  test('has the same question, bounds and stops, and asks for usage where it is a stream', () => {
    const { body, refused } = ask({
      ...{ temperature: 0.5, top_p: 0.9, stop_sequences: ['END'], stream: true },
      system: [{ type: 'text', text: 'Be brief', cache_control: { type: 'ephemeral' } }],
    })
    expect(refused).toEqual([])
    expect(body).toEqual({
      model: 'gpt-4',
      messages: [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'Hi' },
      ],
      ...{ max_tokens: 32_000, temperature: 0.5, top_p: 0.9, stop: ['END'] },
      ...{ stream: true, stream_options: { include_usage: true } },
    })
  })
  test('leaves out what is of use to its own upstreams alone', () => {
    const extra = {
      ...{ metadata: { user_id: 'u' }, context_management: { edits: [] }, betas: ['x'], safeguards: {}, top_k: 3 },
      ...{ output_config: { effort: 'high' }, thinking: { type: 'adaptive', display: 'omitted' } },
    }
    expect(ask(extra).body).toEqual(ask({}).body)
    expect(ask(extra).refused).toEqual([])
  })
  test('asks for thoughts in the answer where the request thinks', () => {
    expect(ask({}).thinks).toBe(false)
    expect(ask({ thinking: { type: 'disabled' } }).thinks).toBe(false)
    expect(ask({ thinking: { type: 'enabled', budget_tokens: 1024 } }).thinks).toBe(true)
  })
  test('keeps a system message that stands among the others, and joins those that begin it', () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'system', content: [{ type: 'text', text: 'A reminder' }] },
    ]
    expect(ask({ system: 'First', messages }).body['messages']).toEqual([
      { role: 'system', content: 'First' },
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'A reminder' },
    ])
    expect(ask({ system: 'First', messages: [{ role: 'system', content: 'Second' }] }).body['messages']).toEqual([
      { role: 'system', content: 'First\n\nSecond' },
    ])
  })
  test('shows pictures, documents and search results', () => {
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBE' }
    const content = [
      { type: 'text', text: 'Look' },
      PICTURE,
      { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
      { type: 'document', title: 'a.pdf', source: pdf },
      { type: 'document', source: { type: 'text', data: 'plain' } },
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'inner' }] } },
      { type: 'search_result', title: 'T', source: 'S', content: [{ type: 'text', text: 'found' }] },
    ]
    expect(ask({ messages: user(...content) }).body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          SHOWN,
          { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
          { type: 'text', text: 'a.pdf' },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
          { type: 'text', text: 'plain' },
          { type: 'text', text: 'inner' },
          { type: 'text', text: 'T\nS\nfound' },
        ],
      },
    ])
  })
  test('refuses files that its upstream keeps, tools on other servers and blocks that it does not know', () => {
    const file = { type: 'file', file_id: 'file_1' }
    const messages = user({ type: 'image', source: file }, { type: 'document', source: file }, { type: 'new<b>' })
    expect(ask({ messages, container: 'c1', mcp_servers: [{}] }).refused).toEqual([
      ...['container', 'mcp_servers', 'messages.content.image.source.file', 'messages.content.document.source.file'],
      'messages.content.?',
    ])
    expect(ask({ messages: user({ type: 'container_upload' }) }).refused).toEqual(['messages.content.container_upload'])
  })
})

describe('tools of a request of messages', () => {
  test('are functions, deferred ones among them', () => {
    const { body } = ask({ tools: [TOOL, { type: 'custom', name: 'Write', defer_loading: true, strict: true }] })
    expect(body['tools']).toEqual([
      { type: 'function', function: { name: 'Read', description: 'Reads', parameters: TOOL.input_schema } },
      { type: 'function', function: { name: 'Write', parameters: { type: 'object', properties: {} }, strict: true } },
    ])
  })
  test.each([
    [{ type: 'auto' }, { tool_choice: 'auto' }],
    [{ type: 'any' }, { tool_choice: 'required' }],
    [{ type: 'none' }, { tool_choice: 'none' }],
    [{ type: 'tool', name: 'Read' }, { tool_choice: { type: 'function', function: { name: 'Read' } } }],
    [
      { type: 'auto', disable_parallel_tool_use: true },
      { tool_choice: 'auto', parallel_tool_calls: false },
    ],
  ])('are chosen by %j', (tool_choice, fields) => {
    expect(ask({ tools: [TOOL], tool_choice }).body).toMatchObject(fields)
  })
  test('of the upstream are left out beside others, and refused alone, forced or where they do more', () => {
    const search = { type: 'web_search_20250305', name: 'web_search' }
    expect(ask({ tools: [TOOL, search] }).refused).toEqual([])
    expect(ask({ tools: [search] }).refused).toEqual(['tools.web_search_20250305'])
    const tool_choice = { type: 'tool', name: 'web_search' }
    expect(ask({ tools: [TOOL, search], tool_choice }).refused).toEqual(['tools.web_search_20250305'])
    const code = { type: 'code_execution_20250825', name: 'code_execution' }
    expect(ask({ tools: [TOOL, code] }).refused).toEqual(['tools.code_execution_20250825'])
  })
  test('with long names have shorter ones, by which the answer finds them', () => {
    const name = `mcp__${'long_'.repeat(20)}`
    const { body, tools } = ask({ tools: [{ ...TOOL, name }] })
    const sent = (body['tools'] as { function: { name: string } }[])[0]?.function.name ?? ''
    expect(sent).toMatch(/^mcp__long_[\w-]{54}$/)
    expect(tools.get(sent)?.name).toBe(name)
  })
  test('and their results stand behind the calls, pictures in a message that follows', () => {
    const call = { type: 'tool_use', id: 't1', name: 'Read', input: { path: 'a' } }
    const result = { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'seen' }, PICTURE] }
    const second = { type: 'tool_result', tool_use_id: 't2', content: 'other' }
    const thought = { type: 'thinking', thinking: 'hm', signature: 's' }
    const messages = [
      { role: 'assistant', content: [thought, { type: 'text', text: 'Reading' }, call, { ...call, id: 't2' }] },
      { role: 'user', content: [{ type: 'text', text: 'Go on' }, result, second] },
    ]
    const called = { type: 'function', function: { name: 'Read', arguments: '{"path":"a"}' } }
    expect(ask({ messages }).body['messages']).toEqual([
      {
        role: 'assistant',
        content: 'Reading',
        tool_calls: [
          { id: 't1', ...called },
          { id: 't2', ...called },
        ],
      },
      { role: 'tool', tool_call_id: 't1', content: 'seen' },
      { role: 'tool', tool_call_id: 't2', content: 'other' },
      { role: 'user', content: [SHOWN, { type: 'text', text: 'Go on' }] },
    ])
  })
  test('and the form of an answer are asked for', () => {
    const schema = { type: 'object' }
    const response_format = { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } }
    expect(ask({ output_config: { format: { type: 'json_schema', schema } } }).body).toMatchObject({ response_format })
    expect(ask({ output_format: { type: 'json_schema', schema } }).body).toMatchObject({ response_format })
  })
})
