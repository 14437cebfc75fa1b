import type { ToolTurn } from '#server/conversations/exchanges.ts'
import { fieldOf, isFields } from '#server/providers/looseJson.ts'

/** What tools write into a question beside what was typed: where they run, and what they were told. */
const ADDED_BY_TOOLS = ['system-reminder', 'environment_context', 'user_instructions', 'permissions instructions']
/** Codex puts a file of the folder before the question. */
const INSTRUCTIONS_FILE = /^# AGENTS\.md instructions/

/** What the person said, of the messages of a chat. Results of tools are not theirs. */
export function userTurns(messages: unknown): ToolTurn[] {
  const turns: ToolTurn[] = []
  let before: unknown = null
  for (const message of Array.isArray(messages) ? messages : []) {
    const role = fieldOf(message, 'role')
    const [last] = turns.slice(-1)
    if (role === 'assistant' && last !== undefined) last.isAnswered = true
    const text = role === 'user' ? textIn(fieldOf(message, 'content')) : ''
    // Pictures behind the result of a tool are of that result.
    if (text !== '' && (before !== 'tool' || !isLeftOut(text))) turns.push({ text, isAnswered: false })
    before = role
  }
  return turns
}

const LEFT_OUT = { image_url: '[picture, not kept]', file: '[file, not kept]', input_audio: '[sound, not kept]' }

const isLeftOut = (text: string): boolean => text.split('\n\n').every(part => Object.values(LEFT_OUT).includes(part))

function textIn(content: unknown): string {
  const parts: unknown[] = typeof content === 'string' ? [{ type: 'text', text: content }] : listIn(content)
  return parts
    .filter(isFields)
    .map(({ type, text }) => (typeof text === 'string' ? typed(text) : (LEFT_OUT[type as keyof typeof LEFT_OUT] ?? '')))
    .filter(text => text !== '')
    .join('\n\n')
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Without what the tool has added. Each mark is looked for once, however often it is opened. */
function typed(text: string): string {
  if (INSTRUCTIONS_FILE.test(text)) return ''
  return ADDED_BY_TOOLS.reduce(without, text).trim()
}

function without(text: string, tag: string): string {
  const [open, close] = [`<${tag}>`, `</${tag}>`]
  const kept: string[] = []
  let from = 0
  for (let at = text.indexOf(open); at >= 0; at = text.indexOf(open, from)) {
    const end = text.indexOf(close, at)
    if (end < 0) break
    kept.push(text.slice(from, at))
    from = end + close.length
  }
  return kept.join('') + text.slice(from)
}
