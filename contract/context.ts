import { isThoughts, type Message } from './messages.ts'

type ContextMessage = Pick<Message, 'role' | 'author_name' | 'content' | 'metadata'>

/** Tools of ChatGPT that keep its own books: its memory, its canvas, its painters. What goes to them and comes from them is for no other model. */
const BOOKKEEPERS = /^(?:bio|canmore|dalle|image_gen|t2uay3k|guardian_tool)(?:\.|$)/

/** What such tools report under other names. */
const REPORTS = [
  /^Successfully (?:created|updated|commented on|renamed|deleted) (?:text ?doc|text document|canvas)/i,
  /^(?:Failed to|Error:? .*?) (?:create|update|comment on) (?:text ?doc|text document)/i,
  /^Model set context updated\b/i,
  /^DALL·E (?:displayed|returned) /,
  /^GPT-\w+ returned \d+ images?\b/,
  /^All the files uploaded by the user have been fully loaded\b/,
]

/** Whether a message is part of what the sides said to each other, and so of what another model is to know. Thoughts and notes of an import are not. */
export function isInContext(message: ContextMessage): boolean {
  return !isThoughts(message) && !isNote(message)
}

/** What an import brings along that was said to nobody. */
export function isNote({ role, author_name, content, metadata }: ContextMessage): boolean {
  const web = metadata?.source === 'openai_web' ? metadata : null
  if (role === 'system') return web?.['is_visually_hidden_from_conversation'] === true
  const tool = role === 'tool' ? author_name : role === 'assistant' ? web?.recipient : null
  if (tool != null && BOOKKEEPERS.test(tool)) return true
  // Code says something to whoever goes on with it; a call of another tool is for that tool alone.
  if (role === 'assistant') return tool != null && tool !== '' && tool !== 'all' && tool !== 'python'
  return content?.content_type === 'text' && role === 'tool' && isReport(content.text ?? content.parts?.join('') ?? '')
}

function isReport(text: string): boolean {
  const begin = text.trimStart().slice(0, 200)
  return REPORTS.some(report => report.test(begin))
}
