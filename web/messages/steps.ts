import type { Message } from '#contract/messages.ts'
import { webMetadata } from './metadata.ts'

/**
 * What a tool did or the model thought. `canvas`: a part of a document was changed; `other`: words in content that is
 * not known.
 */
export type StepKind = 'thoughts' | 'code' | 'browsing' | 'files' | 'plugin' | 'painting' | 'canvas' | 'error' | 'other'

export type Step = {
  kind: StepKind
  /** The call and its results, in their order. */
  messages: Message[]
  failed: boolean
  /** It failed, and the model went on. */
  recovered: boolean
}

/** The kind of step that a message belongs to; null for a message to the reader. */
export function stepKindOf(message: Message): StepKind | null {
  const { role, content } = message
  const tool = toolOf(message)
  if (content === null) return hasOtherWords(message) ? 'other' : null
  switch (content.content_type) {
    case 'text':
    case 'multimodal_text':
      if (role === 'assistant') return tool === null ? null : kindOfTool(tool)
      // Generated pictures are for the reader.
      return content.content_type === 'multimodal_text' && content.parts.some(part => typeof part !== 'string')
        ? null
        : kindOfTool(tool)
    case 'code':
      return tool === null ? 'code' : kindOfTool(tool)
    case 'execution_output':
    case 'stderr':
      return 'code'
    case 'tether_browsing_display':
    case 'tether_quote':
      return kindOfTool(tool) === 'files' ? 'files' : 'browsing'
    case 'system_error':
      return tool === null ? 'error' : kindOfTool(tool)
    case 'thoughts':
      return 'thoughts'
  }
}

/**
 * Whether a message belongs to the step before it: every message of browsing does; of other tools, the results of its
 * call.
 */
export function continues({ kind, messages }: Step, message: Message): boolean {
  if (kind === 'browsing' || kind === 'files') return true
  if (kind === 'thoughts' || kind === 'other' || kind === 'canvas' || kind === 'error' || message.role === 'assistant')
    return false
  return kind === 'code' || messages.every(({ role }) => role === 'assistant')
}

export function stepFailed({ kind, messages }: Pick<Step, 'kind' | 'messages'>): boolean {
  const last = messages.findLast(({ role }) => role === 'tool')
  if (kind === 'error') return true
  if (kind === 'browsing' || kind === 'files') return last?.content?.content_type === 'system_error'
  return messages.some(message => {
    const { invoked_plugin, aggregate_result } = webMetadata(message) ?? {}
    return (
      message.content?.content_type === 'stderr' ||
      message.content?.content_type === 'system_error' ||
      (invoked_plugin?.http_response_status ?? 200) >= 400 ||
      aggregate_result?.status === 'failed_with_in_kernel_exception' ||
      aggregate_result?.in_kernel_exception != null
    )
  })
}

/** Seconds. More time between two messages was a pause, not work. */
const MAX_SECONDS = 3600

/** How long the step took; null where that is not known. */
export function secondsOf({ messages }: Pick<Step, 'messages'>): number | null {
  const run = runOf(messages)
  const ended = run?.end_time ?? run?.update_time
  if (run?.start_time != null && ended != null && ended >= run.start_time) return ended - run.start_time
  if (messages.length < 2) return null
  const seconds = (timeOf(messages.at(-1)) - timeOf(messages[0])) / 1000
  return seconds > 0 && seconds < MAX_SECONDS ? seconds : null
}

/** The last run of the code interpreter that the messages report. */
export function runOf(messages: readonly Message[]) {
  return messages.flatMap(message => webMetadata(message)?.aggregate_result ?? []).at(-1)
}

/**
 * The tool or plugin that a message goes to or comes from: python, browser, myfiles_browser, dalle.text2im,
 * weather.now.
 */
export function toolOf(message: Message): string | null {
  const name = message.role === 'assistant' ? webMetadata(message)?.recipient : message.author_name
  return name == null || name === '' || name === 'all' ? null : name
}

/** Tools by their names, which have an operation behind a dot, and change with the years. */
const TOOLS: readonly (readonly [RegExp, StepKind])[] = [
  [/^(?:python(?:_user_visible)?|container)(?:\.|$)/, 'code'],
  [/^(?:browser|web|computer)(?:\.|$)/, 'browsing'],
  [/^(?:myfiles_browser|file_search)(?:\.|$)/, 'files'],
  [/^(?:dalle|image_gen|t2uay3k)/, 'painting'],
  [/^canmore(?:\.|$)/, 'canvas'],
]

const kindOfTool = (tool: string | null): StepKind =>
  TOOLS.find(([names]) => tool !== null && names.test(tool))?.[1] ?? 'plugin'

/** Whether content of a type that is not known, which a stored conversation may have, has any words beside its type. */
function hasOtherWords({ metadata }: Message): boolean {
  const given = metadata?.fallback_content
  if (typeof given !== 'object' || given === null) return typeof given === 'string' && given.trim() !== ''
  return Object.entries(given).some(
    ([name, value]) => WORDS.test(name) && typeof value === 'string' && value.trim() !== '',
  )
}

/** Fields that have them mostly; what else there is, stays hidden. */
const WORDS = /^(?:text|title|content|result|summary|message|description|name|note)$/

function timeOf(message: Message | undefined): number {
  return Date.parse(message?.create_time ?? '')
}
