import { describe, expect, test } from 'vitest'
import { aWebConversation, called, messagesIn, replied, type WebMessage } from '#testing/webConversations/builder.ts'
import type { Step } from './steps.ts'
import { codeOf, drawnIn, outputOf, pluginOf, prettyText, promptsOf } from './stepTexts.ts'

function aStep(kind: Step['kind'], ...said: WebMessage[]): Step {
  return {
    kind,
    messages: messagesIn(aWebConversation('00000000-0000-4000-8000-000000000000', '', 'gpt_4', said)),
    failed: false,
    recovered: false,
  }
}

const ran = (text: string, aggregate_result: object) =>
  aStep(
    'code',
    called('python', 'print(1)\n'),
    replied(
      'python',
      { content_type: 'execution_output', text },
      { aggregate_result: { status: 'success', ...aggregate_result } },
    ),
  )

describe('a run of code', () => {
  test('has the code of the call, or the one the run names', () => {
    expect(codeOf(ran('', {}))).toEqual({ code: 'print(1)', language: 'python' })
    expect(
      codeOf(
        aStep(
          'code',
          replied(
            'python',
            { content_type: 'execution_output', text: '' },
            { aggregate_result: { status: 'success', code: 'x' } },
          ),
        ),
      ).code,
    ).toBe('x')
  })

  test('shows its output without the marks of its pictures', () => {
    expect(outputOf(ran('<<ImageDisplayed>>\n42', {}))).toEqual({ text: '42', errors: '' })
  })

  test('shows what it streamed, or its last value, when it has no output', () => {
    expect(
      outputOf(
        ran('', {
          messages: [
            { message_type: 'stream', text: 'a\n' },
            { message_type: 'stream', text: 'b' },
          ],
        }),
      ).text,
    ).toBe('a\nb')
    expect(outputOf(ran('', { final_expression_output: '7' })).text).toBe('7')
  })

  test.each<[string, unknown, RegExp]>([
    [
      'its traceback',
      { name: 'KeyError', traceback: ['Traceback', 'KeyError: 1'], args: ['1'] },
      /^Traceback\nKeyError: 1$/,
    ],
    ['its name', { name: 'KeyError', traceback: [], args: ['1'] }, /^KeyError: 1$/],
    ['words', 'it broke', /^it broke$/],
    ['anything', { odd: true }, /"odd": true/],
  ])('that failed shows %s', (_, in_kernel_exception, expected) => {
    expect(outputOf(ran('', { in_kernel_exception })).errors).toMatch(expected)
  })

  test('has drawn the pictures it names', () => {
    const messages = [
      { message_type: 'image', image_url: 'file-service://file-a', width: 4, height: 3 },
      { message_type: 'image' },
      { message_type: 'stream', text: 'x' },
    ]
    expect(drawnIn(ran('', { messages }))).toEqual([{ asset_pointer: 'file-service://file-a', width: 4, height: 3 }])
  })
})

describe('image generation', () => {
  test.each([
    ['{"prompts":["一","二",""]}', ['一', '二']],
    ['{"prompt":"一","size":"1024x1024"}', ['一']],
    ['一座灯塔', ['一座灯塔']],
    ['{"size":1}', ['{"size":1}']],
    ['[1,2]', ['[1,2]']],
    ['{"prompts":["一","', ['{"prompts":["一","']],
    ['', []],
  ])('called with %s has the prompts %j', (call, prompts) => {
    expect(promptsOf(aStep('painting', called('dalle.text2im', call)))).toEqual(prompts)
  })
})

describe('a plugin', () => {
  test('is known by its namespace, and by its id once it has answered', () => {
    expect(pluginOf(aStep('plugin', called('weather.now', '{}')))).toEqual({ id: null, namespace: 'weather' })
    const invoked_plugin = { namespace: 'weather', plugin_id: 'plugin-1' }
    expect(pluginOf(aStep('plugin', called('w.now', '{}'), replied('w.now', null, { invoked_plugin })))).toEqual({
      id: 'plugin-1',
      namespace: 'weather',
    })
    expect(pluginOf(aStep('plugin', { role: 'tool', content: null }))).toEqual({ id: null, namespace: null })
  })

  test('has its request and its response as indented JSON, or as they are', () => {
    expect(prettyText('{"a":[1]}')).toEqual({ text: '{\n  "a": [\n    1\n  ]\n}', language: 'json' })
    expect(prettyText('{"a": ')).toEqual({ text: '{"a":', language: null })
    expect(prettyText('42')).toEqual({ text: '42', language: null })
  })
})
