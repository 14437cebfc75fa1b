import { type ImagePart, type Message, textOf } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { isRaw } from '#contract/rawValues.ts'
import { wordsOf } from '#contract/messageForms/words.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import type { UsedTool } from '#web/sources/source.ts'
import { actionsOf } from './browsing.ts'
import { runOf, type Step, toolOf } from './steps.ts'
import { webMetadata } from './metadata.ts'

/** What was done, in a few words. `plugin`: what the plugin that was used is called, null as long as nobody knows. */
export function stepTitle(step: Step, running: boolean, t: Translate, plugin: string | null): string {
  switch (step.kind) {
    case 'code':
      return codeTitle(step, running, t)
    case 'browsing':
      return browsingTitle(step, running, t)
    case 'files':
      return t(step.failed ? 'message.filesFailed' : running ? 'message.readingFiles' : 'message.readFiles')
    case 'plugin':
      return pluginTitle(step, running, t, plugin)
    case 'painting':
      if (step.failed) return t('message.paintingFailed')
      return running ? t('message.painting') : t('message.painted', { count: promptsOf(step).length })
    case 'error': {
      const content = step.messages[0]?.content
      return t('message.toolFailed', { name: content?.content_type === 'system_error' ? content.name : '' })
    }
    case 'thoughts':
      return thoughtsTitle(step, running, t)
    case 'canvas':
      return t(running ? 'message.editingDocument' : 'message.editedDocument')
    case 'other':
      return t('message.otherContent')
  }
}

function thoughtsTitle({ messages }: Step, running: boolean, t: Translate): string {
  if (running) return t('message.thinkingAloud')
  const content = messages.at(-1)?.content
  const seconds = content?.content_type === 'thoughts' ? content.seconds : null
  return seconds === null ? t('message.thought') : t('message.thoughtFor', { count: Math.max(1, Math.round(seconds)) })
}

function codeTitle(step: Step, running: boolean, t: Translate): string {
  if (step.recovered) return t('message.codeFailedRecovered')
  if (step.failed) return t('message.errorOutput')
  const hasRun = step.messages.some(({ role }) => role === 'tool')
  if (!hasRun) return t(running ? 'message.writingCode' : 'message.wroteCode')
  const drawn = drawnIn(step).length
  return drawn > 0 ? t('message.ranCodeDrew', { count: drawn }) : t('message.ranCode')
}

function browsingTitle(step: Step, running: boolean, t: Translate): string {
  const actions = actionsOf(step.messages)
  const search = actions.find(action => action.kind === 'search')
  const opened = actions.filter(action => action.kind === 'open' || action.kind === 'quote')
  const pages = new Set(opened.map(({ url, title }) => url ?? title)).size
  if (step.failed && !running) return t('message.browsingFailed')
  if (running) return search === undefined ? t('message.browsing') : t('message.searching', { query: search.query })
  if (pages > 0) return t(search === undefined ? 'message.readPages' : 'message.searchedPages', { count: pages })
  return search === undefined ? t('message.browsed') : t('message.searched', { query: search.query })
}

function pluginTitle(step: Step, running: boolean, t: Translate, name: string | null): string {
  if (name === null)
    return t(step.failed ? 'message.somePluginFailed' : running ? 'message.usingSomePlugin' : 'message.usedSomePlugin')
  return t(step.failed ? 'message.pluginFailed' : running ? 'message.usingPlugin' : 'message.usedPlugin', { name })
}

/** What stands for a picture in the output of code. */
const PICTURE_MARK = /^<<ImageDisplayed>>\n?/gm

/** The code that was run. */
export function codeOf({ messages }: Step): { code: string; language: string } {
  const call = messages.find(({ role }) => role === 'assistant')?.content
  if (call?.content_type !== 'code') return { code: (runOf(messages)?.code ?? '').trim(), language: 'python' }
  const language = call.language != null && call.language !== 'unknown' ? call.language : 'python'
  return { code: call.text.trim(), language }
}

/** The output and the errors of a run. */
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
  const streamed = (run?.messages ?? [])
    .filter(({ message_type }) => message_type === 'stream')
    .map(({ text }) => text ?? '')
    .join('')
  const exception = exceptionText(run?.in_kernel_exception)
  const text = printed || streamed.trim() || (run?.final_expression_output ?? '')
  // The upstream shows the traceback as the output of a run that failed.
  return exception !== '' && text !== ''
    ? { text: '', errors: [...errors, text].join('\n') }
    : { text, errors: [...errors, exception].filter(Boolean).join('\n') }
}

/** The pictures that a run has drawn. */
export function drawnIn({ messages }: Pick<Step, 'messages'>): ImagePart[] {
  return messages
    .flatMap(message => webMetadata(message)?.aggregate_result?.messages ?? [])
    .flatMap((part): ImagePart[] =>
      part.message_type === 'image' && part.image_url
        ? [{ asset_pointer: part.image_url, width: numberOr(part['width']), height: numberOr(part['height']) }]
        : [],
    )
}

/** The prompts of generated pictures; a call that cannot be read is one prompt. */
export function promptsOf({ messages }: Pick<Step, 'messages'>): string[] {
  return messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(message => {
      const text = textOf(message).trim()
      const input = parsed(text)
      if (typeof input !== 'object' || input === null) return text === '' ? [] : [text]
      const prompts = [Reflect.get(input, 'prompts'), Reflect.get(input, 'prompt')]
        .flat()
        .filter(prompt => typeof prompt === 'string' && prompt.trim() !== '')
      return prompts.length > 0 ? prompts.map(String) : [text]
    })
}

/** The words in content of a type that is not known. */
export function otherWords({ metadata }: Pick<Message, 'metadata'>): string {
  const given = metadata?.fallback_content
  return typeof given === 'string' ? given.trim() : isRaw(given) ? wordsOf(given) : ''
}

/** What was written into a document in place of parts of it. */
export function canvasChanges({ messages }: Pick<Step, 'messages'>): string[] {
  return messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(message => {
      const input = parsed(textOf(message))
      const updates: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, 'updates') : null
      return Array.isArray(updates) ? updates.map(update => replacementIn(update)) : []
    })
    .filter(text => text.trim() !== '')
}

function replacementIn(update: unknown): string {
  const text: unknown = typeof update === 'object' && update !== null ? Reflect.get(update, 'replacement') : null
  return typeof text === 'string' ? text : ''
}

/**
 * The plugin of a step. Before it answers, its namespace is taken from the operation, as `weather` from `weather.now`.
 */
export function pluginOf({ messages }: Pick<Step, 'messages'>): UsedTool {
  const invoked = messages.map(message => webMetadata(message)?.invoked_plugin)
  const tool = messages.map(toolOf).find(name => name !== null)
  return {
    id: invoked.find(each => each?.plugin_id)?.plugin_id ?? null,
    namespace: invoked.find(each => each?.namespace)?.namespace ?? tool?.split('.')[0] ?? null,
  }
}

/** Whose answer the step is of. */
export function toolSource({ messages: [first] }: Pick<Step, 'messages'>): Source {
  return first?.metadata?.source ?? first?.source ?? 'openai_api'
}

/** JSON is indented, any other text is as it is. */
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
