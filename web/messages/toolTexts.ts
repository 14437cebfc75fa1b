import { type ImagePart, type Message, textOf } from '#contract/messages.ts'
import type { Step } from './steps.ts'
import { toolOf } from './steps.ts'

/** What stands in the place of a picture in the output of code. */
const PICTURE_MARK = /^<<ImageDisplayed>>\n?/gm

/** The code that was run. */
export function codeOf({ messages }: Step): { code: string; language: string } {
  const call = messages.find(({ role }) => role === 'assistant')?.content
  const ran = runOf(messages)?.code
  const code = call?.content_type === 'code' ? call.text : (ran ?? '')
  const language =
    call?.content_type === 'code' && call.language != null && call.language !== 'unknown' ? call.language : 'python'
  return { code: code.trim(), language }
}

/** What it printed or answered with, and what it failed with. */
export function outputOf({ messages }: Step): { text: string; errors: string } {
  const texts: string[] = []
  const errors: string[] = []
  for (const { role, content } of messages) {
    if (role === 'assistant' || content === null) continue
    if (content.content_type === 'stderr' || content.content_type === 'system_error') errors.push(content.text)
    else texts.push(textOf({ content }))
  }
  const run = runOf(messages)
  const printed = texts.join('\n').replaceAll(PICTURE_MARK, '').trim()
  const streamed =
    run?.messages
      ?.filter(({ message_type }) => message_type === 'stream')
      .map(({ text }) => text ?? '')
      .join('') ?? ''
  const exception = exceptionText(run?.in_kernel_exception)
  const text = printed || streamed.trim() || (run?.final_expression_output ?? '')
  // The traceback is what the upstream shows as output of a run that failed.
  return exception !== '' && text !== ''
    ? { text: '', errors: [...errors, text].join('\n') }
    : { text, errors: [...errors, exception].filter(Boolean).join('\n') }
}

/** The pictures that a run has drawn. */
export function drawnIn({ messages }: Pick<Step, 'messages'>): ImagePart[] {
  return messages
    .flatMap(({ metadata }) => (metadata?.source === 'openai_web' ? (metadata.aggregate_result?.messages ?? []) : []))
    .flatMap((part): ImagePart[] =>
      part.message_type === 'image' && part.image_url
        ? [{ asset_pointer: part.image_url, width: numberOr(part['width']), height: numberOr(part['height']) }]
        : [],
    )
}

/** What a painter was told; one that cannot be read is one prompt as it is. */
export function promptsOf({ messages }: Pick<Step, 'messages'>): string[] {
  return messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) => {
      const text = textOf({ content }).trim()
      const told = parsed(text)
      if (typeof told !== 'object' || told === null) return text === '' ? [] : [text]
      const prompts = [Reflect.get(told, 'prompts'), Reflect.get(told, 'prompt')]
        .flat()
        .filter(prompt => typeof prompt === 'string' && prompt.trim() !== '')
      return prompts.length > 0 ? prompts.map(String) : [text]
    })
}

/** The name of a plugin, of which a message names only an operation: `weather.now` is weather. */
export function pluginName({ messages }: Pick<Step, 'messages'>): string | null {
  for (const { metadata } of messages) {
    const namespace = metadata?.source === 'openai_web' ? metadata.invoked_plugin?.namespace : null
    if (namespace != null && namespace !== '') return namespace
  }
  for (const message of messages) {
    const tool = toolOf(message)
    if (tool !== null) return tool.split('.')[0] ?? tool
  }
  return null
}

/** Data as one can read it: JSON is laid out, anything else is as it is. */
export function prettyText(text: string): { text: string; language: string | null } {
  const data = /^\s*[[{]/.test(text) ? parsed(text) : undefined
  return data === undefined
    ? { text: text.trim(), language: null }
    : { text: JSON.stringify(data, null, 2), language: 'json' }
}

function exceptionText(exception: unknown): string {
  if (exception === null || exception === undefined) return ''
  if (typeof exception !== 'object') return String(exception)
  const traceback: unknown = Reflect.get(exception, 'traceback')
  if (Array.isArray(traceback) && traceback.length > 0) return traceback.map(String).join('\n')
  const name: unknown = Reflect.get(exception, 'name')
  const args: unknown = Reflect.get(exception, 'args')
  return typeof name === 'string'
    ? `${name}: ${Array.isArray(args) ? args.map(String).join(', ') : ''}`
    : JSON.stringify(exception, null, 2)
}

function runOf(messages: readonly Message[]) {
  return messages
    .flatMap(({ metadata }) =>
      metadata?.source === 'openai_web' && metadata.aggregate_result != null ? [metadata.aggregate_result] : [],
    )
    .at(-1)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function numberOr(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
