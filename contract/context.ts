import { isThoughts, type Message } from './messages.ts'

type ContextMessage = Pick<Message, 'role' | 'author_name' | 'content' | 'metadata'>

/**
 * Internal tools of ChatGPT: memory, canvas, image generation. Messages to and from them mean nothing to another model.
 */
const BOOKKEEPERS = /^(?:bio|canmore|dalle|image_gen|t2uay3k|guardian_tool)(?:\.|$)/

/** Reports of the same tools that arrive under other tool names. */
const REPORTS = [
  /^Successfully (?:created|updated|commented on|renamed|deleted) (?:text ?doc|text document|canvas)/i,
  /^(?:Failed to|Error:? .*?) (?:create|update|comment on) (?:text ?doc|text document)/i,
  /^Model set context updated\b/i,
  /^DALL·E (?:displayed|returned) /,
  /^GPT-\w+ returned \d+ images?\b/,
  /^All the files uploaded by the user have been fully loaded\b/,
  /^The output of this plugin was redacted\b/,
]
/** Tools that only ever report to the service: memory, canvas, rules. */
const REPORTERS = /^(?:bio|canmore|guardian_tool)(?:\.|$)/

/**
 * Whether a message is between the model and the service's internal tools. `text`: of content that is nothing but text.
 */
export function isServiceNotice(
  tool: string | null,
  { isTool, text }: { isTool: boolean; text: string | null },
): boolean {
  // What is written on the canvas is an answer, and has a reader.
  if (!isTool) return tool !== null && REPORTERS.test(tool) && !tool.startsWith('canmore')
  return (tool !== null && REPORTERS.test(tool)) || (text !== null && isReport(text))
}

/**
 * Whether a message is sent to a model as context: what people and models said to each other, without thoughts and
 * notes.
 */
export function isInContext(message: ContextMessage): boolean {
  return !isThoughts(message) && !isNote(message)
}

/**
 * A message of an import that is addressed to no reader: hidden system messages, calls of tools and reports of internal
 * tools.
 */
export function isNote({ role, author_name, content, metadata }: ContextMessage): boolean {
  const web = metadata?.source === 'openai_web' ? metadata : null
  if (role === 'system') return web?.['is_visually_hidden_from_conversation'] === true
  const tool = role === 'tool' ? author_name : role === 'assistant' ? web?.recipient : null
  if (tool != null && BOOKKEEPERS.test(tool)) return true
  // Code for the interpreter is context for whoever goes on with it; a call of another tool is not.
  if (role === 'assistant') return tool != null && tool !== '' && tool !== 'all' && tool !== 'python'
  return content?.content_type === 'text' && role === 'tool' && isReport(content.text ?? content.parts?.join('') ?? '')
}

function isReport(text: string): boolean {
  const begin = text.trimStart().slice(0, 200)
  return REPORTS.some(report => report.test(begin))
}

/** An estimate: four Latin letters, or one Han character, are about a token. It errs on the high side. */
export function roughTokens(text: string): number {
  let tokens = 4
  for (let index = 0; index < text.length; index++) tokens += text.charCodeAt(index) > 0x2e80 ? 1 : 0.3
  return Math.ceil(tokens)
}

/** Share of the context that is kept free for the answer. */
export const ANSWER_SHARE = 0.25
