import type { ImportedConversation } from '#contract/transfer.ts'
import {
  answer,
  citationMetadata,
  type Cited,
  conversationOf,
  type LooseMessage,
  modelCodeOf,
  nodesFrom,
  question,
  textMessage,
  withBlocks,
} from './importedTree.ts'
import { isRaw, paragraphs, type Raw, rawAt, rawsAt, someTextAt, textAt, textsAt, timeAt } from '#contract/rawValues.ts'

/** The block of thoughts in an answer. */
const DETAILS = /<details\b([^>]{0,2000})>/

/** Open WebUI: a chat with its history, bare or in a record of its list. */
export function isOpenWebuiExport(raw: Raw): boolean {
  return isRaw(chatIn(raw)['history']) && isRaw(rawAt(chatIn(raw), 'history')['messages'])
}

export function fromOpenWebuiExport(raw: Raw): ImportedConversation | null {
  const chat = chatIn(raw)
  const history = rawAt(chat, 'history')
  const nodes = nodesFrom(rawAt(history, 'messages'), messagesFrom, ['parentId', 'childrenIds'])
  // A chat that was never stored has no id of its own.
  const id = someTextAt(raw, 'id') ?? someTextAt(chat, 'id') ?? nodes.keys().next().value
  if (id === undefined) return null
  const models = textsAt(chat, 'models')
    .map(modelCodeOf)
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
  const text =
    textAt(message, 'content') ?? paragraphs(rawsAt(message, 'content').map(part => someTextAt(part, 'text', 'value')))
  switch (textAt(message, 'role')) {
    case 'user':
      return question(
        text,
        rawsAt(message, 'files').map(file => ({ ...rawAt(file, 'file'), ...file })),
        create_time,
      )
    case 'system':
      return text.trim() === '' ? [] : [textMessage('system', text, { create_time })]
    default:
      return answerFrom(message, text, create_time)
  }
}

function answerFrom(message: Raw, text: string, create_time: string | null): LooseMessage[] {
  let seconds: number | null = null
  const thoughts: string[] = []
  const spoken = withBlocks(text, DETAILS, '</details>', (attributes, inside) => {
    if (!/\btype="reasoning"/.test(attributes)) return null
    const duration = /\bduration="(\d+)"/.exec(attributes)?.[1]
    if (duration !== undefined) seconds = (seconds ?? 0) + Number(duration)
    thoughts.push(
      withBlocks(inside, /<summary>/, '</summary>', () => '')
        .replace(/^[^\S\n]*(?:>|&gt;) ?/gm, '')
        .trim(),
    )
    return ''
  }).trimStart()
  return answer(
    spoken,
    {
      model: modelCodeOf(textAt(message, 'model')),
      create_time,
      metadata: citationMetadata(spoken, sourcesOf(message)),
    },
    { text: paragraphs([...thoughts, textAt(message, 'reasoning_content')]), seconds },
  )
}

/** Sources that are web pages; files of a knowledge base have no address. */
function sourcesOf(message: Raw): Cited[] {
  return rawsAt(message, 'sources')
    .flatMap(each => [rawAt(each, 'source'), ...rawsAt(each, 'metadata')])
    .flatMap((page): Cited[] => {
      const url = [someTextAt(page, 'url'), someTextAt(page, 'source')].find(each => /^https?:/.test(each ?? ''))
      return url == null ? [] : [{ url, title: someTextAt(page, 'title', 'name'), at: null }]
    })
}
