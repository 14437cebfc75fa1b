import { describe, expect, test } from 'vitest'
import { responsesToChat } from './responsesToChat.ts'

const ask = (fields: Record<string, unknown>) => responsesToChat({ model: 'gpt-4', input: 'Hi', ...fields })
const messagesOf = (...input: unknown[]) => ask({ input }).body['messages']
const said = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'input_text', text }] })
const SHELL = { type: 'function', name: 'shell', description: 'Runs', parameters: { type: 'object' }, strict: false }
const SENT = { type: 'function', function: { name: 'shell', description: 'Runs', parameters: { type: 'object' } } }

describe('a request of responses as a chat', () => {
  test('has the same question and bounds, and asks for usage where it is a stream', () => {
    const { body, refused } = ask({
      ...{ instructions: 'Be brief', max_output_tokens: 100, temperature: 0, top_p: 1, stream: true, store: false },
      reasoning: { effort: 'low', summary: 'auto' },
    })
    expect(refused).toEqual([])
    expect(body).toEqual({
      model: 'gpt-4',
      messages: [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'Hi' },
      ],
      ...{ max_tokens: 100, temperature: 0, top_p: 1, reasoning_effort: 'low' },
      ...{ stream: true, stream_options: { include_usage: true } },
    })
  })
  test('leaves out what is of use to its own upstreams alone', () => {
    const extra = {
      ...{ include: ['reasoning.encrypted_content'], prompt_cache_key: 'k', client_metadata: {}, metadata: {} },
      ...{ store: true, truncation: 'auto', service_tier: 'auto', text: { verbosity: 'low' }, safety_identifier: 'x' },
      ...{ parallel_tool_calls: true, tool_choice: 'auto', background: false, previous_response_id: null },
    }
    expect(ask(extra)).toEqual(ask({}))
  })
  test('has what a developer says as a system message, and one message for those that begin it', () => {
    expect(
      messagesOf(said('developer', 'One'), said('system', 'Two'), said('user', 'Hi'), said('developer', 'x')),
    ).toEqual([
      { role: 'system', content: 'One\n\nTwo' },
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'x' },
    ])
  })
  test('shows pictures and files', () => {
    const content = [
      { type: 'input_text', text: 'Look' },
      { type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'high' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' },
    ]
    expect(messagesOf({ role: 'user', content })).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA', detail: 'high' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
        ],
      },
    ])
  })
  test.each([
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ conversation: 'conv_1' }, 'conversation'],
    [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
    [{ background: true }, 'background'],
    [{ service_tier: 'priority' }, 'service_tier.priority'],
    [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input.item_reference'],
    [{ input: [{ type: 'odd name' }] }, 'input.?'],
    [
      { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] },
      'input.content.input_image.file_id',
    ],
    [
      { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] },
      'input.content.input_file.file_id',
    ],
    [{ input: [{ role: 'user', content: [{ type: 'hologram' }] }] }, 'input.content.hologram'],
    [{ tools: [SHELL, { type: 'mcp', server_url: 'https://example.org' }] }, 'tools.mcp'],
    [{ tools: [{ type: 'file_search', vector_store_ids: ['v'] }] }, 'tools.file_search'],
    [{ tools: [{ type: 'web_search' }] }, 'tools.web_search'],
    [{ tools: [SHELL, { type: 'web_search' }], tool_choice: { type: 'web_search' } }, 'tools.web_search'],
  ])('refuses %j by name', (fields, name) => {
    expect(ask(fields).refused).toContain(name)
  })
  test('asks for the form of the answer', () => {
    const format = { type: 'json_schema', name: 'person', schema: { type: 'object' }, strict: true }
    const { type, ...json_schema } = format
    expect(ask({ text: { format } }).body['response_format']).toEqual({ type, json_schema })
    expect(ask({ text: { format: { type: 'json_object' } } }).body['response_format']).toEqual({ type: 'json_object' })
    expect(ask({ text: { format: { type: 'text' } } }).body).not.toHaveProperty('response_format')
  })
})

describe('tools of a request of responses', () => {
  const custom = {
    ...{ type: 'custom', name: 'apply_patch', description: 'Patches' },
    format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
  }
  const namespace = { type: 'namespace', name: 'mcp__weather', tools: [{ ...SHELL, name: 'today' }] }

  test('are functions, a search of the upstream left out beside them', () => {
    const { body, refused } = ask({ tools: [SHELL, { type: 'web_search', external_web_access: false }] })
    expect([body['tools'], refused]).toEqual([[SENT], []])
  })
  test('of a namespace have its name before theirs, by which the answer finds both', () => {
    const { body, tools } = ask({ tools: [namespace] })
    expect(body['tools']).toMatchObject([{ function: { name: 'mcp__weather__today' } }])
    expect(tools.get('mcp__weather__today')).toMatchObject({ name: 'today', namespace: 'mcp__weather' })
  })
  test('that take a text take it as their only argument, with the grammar in words', () => {
    const { body, tools } = ask({ tools: [custom] })
    const description = 'Patches\n\nThe input follows this grammar:\nstart: "x"'
    expect(body['tools']).toMatchObject([{ function: { description, parameters: { required: ['input'] } } }])
    expect(tools.get('apply_patch')?.kind).toBe('custom')
  })
  test('may stand among the items', () => {
    const input = [{ type: 'additional_tools', role: 'developer', tools: [SHELL] }, said('user', 'Hi')]
    const { body, refused } = ask({ input: [...input, { type: 'configuration_update' }] })
    expect([body['tools'], refused]).toEqual([[SENT], []])
    expect(body['messages']).toEqual([{ role: 'user', content: 'Hi' }])
  })
  test('are chosen: one of them, some of them, none', () => {
    const tools = [SHELL, custom, namespace]
    const choose = (tool_choice: unknown) => ask({ tools, tool_choice }).body
    const named = (name: string) => ({ tool_choice: { type: 'function', function: { name } } })
    expect(choose('required')).toMatchObject({ tool_choice: 'required' })
    expect(choose({ type: 'function', name: 'shell' })).toMatchObject(named('shell'))
    expect(choose({ type: 'custom', name: 'apply_patch' })).toMatchObject(named('apply_patch'))
    expect(choose({ type: 'function', name: 'today' })).toMatchObject(named('mcp__weather__today'))
    const allowed = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'shell' }] }
    expect(choose(allowed)).toMatchObject({ tools: [SENT], tool_choice: 'required' })
    expect(ask({ tools, tool_choice: { type: 'function', name: 'gone' } }).refused).toEqual(['tool_choice.function'])
    expect(ask({ tools, parallel_tool_calls: false }).body).toMatchObject({ parallel_tool_calls: false })
  })
  test('and their results stand behind the calls, pictures in a message that follows', () => {
    const picture = { type: 'input_image', image_url: 'data:image/png;base64,AA' }
    const calls = [
      { type: 'function_call', call_id: 'c1', name: 'today', namespace: 'mcp__weather', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'apply_patch', input: '*** Begin' },
    ]
    const results = [
      { type: 'function_call_output', call_id: 'c1', output: [picture] },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'ok' },
    ]
    const spoken = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Looking' }] }
    const reasoning = { type: 'reasoning', summary: [], encrypted_content: 'x' }
    expect(messagesOf(reasoning, spoken, ...calls, ...results, said('user', 'And?'))).toEqual([
      {
        role: 'assistant',
        content: 'Looking',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'mcp__weather__today', arguments: '{}' } },
          { id: 'c2', type: 'function', function: { name: 'apply_patch', arguments: '{"input":"*** Begin"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '(The result follows in the next message.)' },
      { role: 'tool', tool_call_id: 'c2', content: 'ok' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
          { type: 'text', text: 'And?' },
        ],
      },
    ])
  })
})
