import type { ImportedConversation } from '#contract/transfer.ts'
import { attaching, type Cited, citing, modelNamed, spoken, textOfParts } from './foreignMessages.ts'
import { conversationOf, type FileNode, type LooseMessage, said } from './importedTree.ts'
import { textsIn } from './ownExport.ts'
import { isRaw, type Raw, rawAt, rawsAt, someTextAt, textAt, timeAt } from './rawValues.ts'
import { withBlocks } from './textBlocks.ts'

/** What it thought, in a block of its own within the answer. */
const DETAILS = /<details\b([^>]{0,2000})>/

/** Of Open WebUI: a chat with its history, bare or in a record of its list. */
export function isOpenWebuiExport(raw: Raw): boolean {
  return isRaw(chatIn(raw)['history']) && isRaw(rawAt(chatIn(raw), 'history')['messages'])
}

export function fromOpenWebuiExport(raw: Raw): ImportedConversation | null {
  const chat = chatIn(raw)
  const history = rawAt(chat, 'history')
  const nodes = new Map<string, FileNode>()
  for (const [key, message] of Object.entries(rawAt(history, 'messages'))) {
    if (isRaw(message))
      nodes.set(key, {
        parent: textAt(message, 'parentId'),
        children: textsIn(message['childrenIds']),
        messages: messagesFrom(message),
      })
  }
  // A chat that was never stored has no id but those of its messages.
  const id = someTextAt(raw, 'id') ?? someTextAt(chat, 'id') ?? nodes.keys().next().value
  if (id === undefined) return null
  const models = textsIn(chat['models'])
    .map(modelNamed)
    .filter(model => model !== null)
  return conversationOf(
    {
      id,
      title: someTextAt(raw, 'title') ?? textAt(chat, 'title'),
      create_time: timeAt(raw, 'created_at') ?? timeAt(chat, 'timestamp', 'created_at'),
      update_time: timeAt(raw, 'updated_at'),
      current_node: textAt(history, 'currentId'),
      current_model: models.at(-1) ?? null,
    },
    nodes,
  )
}

function chatIn(raw: Raw): Raw {
  return isRaw(raw['chat']) ? raw['chat'] : raw
}

function messagesFrom(message: Raw): LooseMessage[] {
  const create_time = timeAt(message, 'timestamp')
  const text = textOfParts(message['content'], message)
  const files = attaching(rawsAt(message, 'files').map(file => ({ ...rawAt(file, 'file'), ...file })))
  switch (textAt(message, 'role')) {
    case 'user':
      return text.trim() === '' && files === null ? [] : [said('user', text, { create_time, metadata: files })]
    case 'system':
      return text.trim() === '' ? [] : [said('system', text, { create_time })]
    default:
      return answerFrom(message, text, create_time)
  }
}

function answerFrom(message: Raw, text: string, create_time: string | null): LooseMessage[] {
  let seconds: number | null = null
  const thought: string[] = []
  const rest = withBlocks(text, DETAILS, '</details>', (attributes, inside) => {
    if (!/\btype="reasoning"/.test(attributes)) return null
    const told = /\bduration="(\d+)"/.exec(attributes)?.[1]
    if (told !== undefined) seconds = (seconds ?? 0) + Number(told)
    thought.push(
      withBlocks(inside, /<summary>/, '</summary>', () => '')
        .replace(/^[^\S\n]*(?:>|&gt;) ?/gm, '')
        .trim(),
    )
    return ''
  }).trimStart()
  const kept = textAt(message, 'reasoning_content')
  const more = { model: modelNamed(textAt(message, 'model')), create_time, metadata: citing(rest, sourcesOf(message)) }
  return spoken(rest, more, { text: [...thought, kept ?? ''].filter(each => each.trim() !== '').join('\n\n'), seconds })
}

/** Sources that are pages of the web; files of a knowledge base have no address. */
function sourcesOf(message: Raw): Cited[] {
  return rawsAt(message, 'sources').flatMap((each): Cited[] => {
    const source = rawAt(each, 'source')
    const addresses = [source, ...rawsAt(each, 'metadata')].map(page => ({
      url: [someTextAt(page, 'url'), someTextAt(page, 'source')].find(url => url !== null && /^https?:/.test(url)),
      title: someTextAt(page, 'title', 'name'),
    }))
    return addresses.flatMap(({ url, title }) => (url == null ? [] : [{ url, title, at: null }]))
  })
}
