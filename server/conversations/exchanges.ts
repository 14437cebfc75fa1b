import type { Configuration } from '#contract/configuration/configuration.ts'
import { shortened } from '#contract/cutText.ts'
import type { ConversationRecord } from '#contract/conversations.ts'
import type { Ending, Message } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import { storableText } from '#contract/storableText.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { idFrom, newId } from '#server/foundation/ids.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { SearchQueue } from '#server/foundation/search/searchQueue.ts'
import { userStore } from '#server/users/store.ts'
import { requireConversationAllowed, requireNotFull } from './conversationLimits.ts'
import { iso } from './history.ts'
import { keepMessages, messageStore } from './messageStore.ts'
import { type ConversationRow, conversationStore } from './store.ts'
import { titleFromText } from './titles.ts'

/** What a person has said in a tool, and whether the model has said anything since. */
export type ToolTurn = { text: string; isAnswered: boolean }

/** What a tool has asked and was answered. */
export type ToolExchange = {
  user_id: number
  /** What the tool calls itself, and the name of the key that it asks by. */
  by_tool: NonNullable<ConversationRecord['by_tool']>
  /** The same for all that belongs to one conversation of a tool. */
  conversation: string
  model: string
  upstream_id: number | null
  /** All that the person said in it so far: tools send it each time. */
  turns: readonly ToolTurn[]
  answer: { text: string; ending: Ending | null }
}

export type KeepExchange = ReturnType<typeof openExchanges>

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  searchQueue: Pick<SearchQueue, 'add' | 'wake'>
}

const SOURCE: Source = 'openai_api'

/** Characters of a message. Tools put whole files into a question. */
const MAX_TEXT = 200_000
/** How often a conversation that its owner has deleted is begun anew while its tool goes on. */
const MAX_BEGINNINGS = 20

/**
 * Keeps what tools ask as conversations of their person. Of a question that comes with all that was said before it,
 * only what is new is stored: ids follow from what was said. Refuses where there are as many conversations as allowed,
 * or this one is full.
 */
export function openExchanges({ open, clock, configuration, searchQueue }: Dependencies) {
  async function store(trx: Transaction, exchange: ToolExchange): Promise<{ id: string; added: Message[] }> {
    const { user_id, model, upstream_id, by_tool, turns } = exchange
    // One at a time of each person: the second finds what the first has stored.
    await userStore(trx).lock(user_id, open.engine)
    const now = clock.now()
    const { id, row } = await findConversation(trx, exchange)
    const added = await newMessages(trx, row ?? { conversation_id: id, current_node: null }, exchange, iso(now))
    if (row === null) {
      const limits = { engine: open.engine, configuration: configuration() }
      await requireConversationAllowed(trx, user_id, SOURCE, limits)
      await conversationStore(trx).insert({
        ...{ conversation_id: id, source: SOURCE, user_id, model, current_node: null, upstream_id, now },
        title: titleFromText(turns[0]?.text ?? '') || null,
        conversation_metadata: { by_tool },
      })
    }
    const size = await messageStore(trx).size(id)
    const bytes = added.reduce((sum, { content }) => sum + Buffer.byteLength(JSON.stringify(content)), size.bytes)
    requireNotFull({ messages: size.messages + added.length - 1, bytes }, configuration())
    await keepMessages(trx, id, added, now, model)
    return { id, added }
  }

  return async (exchange: ToolExchange): Promise<void> => {
    await open.transaction(
      async (trx, sendWithCommit) => {
        const { id, added } = await store(trx, exchange)
        const searched = added.map(message => ({ conversation_id: id, message_id: message.id }))
        sendWithCommit(searchQueue.add(trx, searched))
      },
      { lowPriority: true },
    )
    searchQueue.wake()
  }
}

/** The conversation of the tool that its owner still has. One that was deleted is not brought back. */
async function findConversation(
  trx: Transaction,
  { user_id, conversation }: ToolExchange,
): Promise<{ id: string; row: ConversationRow | null }> {
  for (let beginning = 0; beginning < MAX_BEGINNINGS; beginning += 1) {
    const id = idFrom(`${user_id} ${conversation} ${beginning}`, 'conversation of a tool')
    const row = await conversationStore(trx).find(id)
    if (row === undefined) return { id, row: null }
    if (row.is_valid && row.user_id === user_id) return { id, row }
  }
  throw new Refusal('conversationNotFound')
}

type Target = Pick<ConversationRow, 'conversation_id' | 'current_node'>

/** The question, unless it is there already, and the answer, each behind what it follows. */
async function newMessages(
  trx: Transaction,
  { conversation_id, current_node }: Target,
  { turns, answer, model }: ToolExchange,
  create_time: string,
): Promise<Message[]> {
  const links = await messageStore(trx).links(conversation_id)
  const questions = questionsOf(links)
  const ids = questionIds(turns)
  const last = ids.findLastIndex(id => questions.has(id))
  const isAnswered = turns.findLastIndex(turn => turn.isAnswered)
  const fresh = turns.slice(Math.max(last, isAnswered) + 1)
  const follows = ids[last] ?? null
  const isNew = fresh.length > 0 || follows === null
  const stored = { create_time, source: SOURCE, author_name: null, children: [] as string[] }
  const text = (isNew && fresh.length === 0 ? turns.slice(-1) : fresh).map(turn => turn.text).join('\n\n')
  // Whoever begins anew in the same session begins a branch of its own.
  const before = follows === null ? (isAnswered < 0 ? null : current_node) : lastBehind(questions, follows)
  const question: Message = {
    ...{ ...stored, id: ids.at(-1) ?? newId(), parent: before, role: 'user', model: null, metadata: null },
    content: contentOf(text),
  }
  // The same question once more has another answer; what follows results of tools follows the answer that called them.
  const again = turns.at(-1)?.isAnswered === true ? before : follows
  const reply: Message = {
    ...{ ...stored, id: newId(), parent: isNew ? question.id : again, role: 'assistant', model },
    content: contentOf(answer.text),
    metadata: { source: SOURCE, ...(answer.ending !== null && { ending: answer.ending }) },
  }
  return isNew ? [question, reply] : [reply]
}

type Link = { message_id: string; parent: string | null; role: string }

/** Which question each message answers, in the order in which they came; a question itself. */
function questionsOf(links: readonly Link[]): ReadonlyMap<string, string | null> {
  const questions = new Map<string, string | null>()
  for (const { message_id, parent, role } of links)
    questions.set(message_id, role === 'user' ? message_id : (questions.get(parent ?? '') ?? null))
  return questions
}

const lastBehind = (questions: ReadonlyMap<string, string | null>, question: string): string =>
  [...questions].findLast(([, of]) => of === question)?.[0] ?? question

const contentOf = (text: string) => ({ content_type: 'text' as const, text: shortened(storableText(text), MAX_TEXT) })

/** Each follows from all questions before it: what is sent again has the same. */
function questionIds(turns: readonly ToolTurn[]): string[] {
  let id = ''
  return turns.map(({ text }) => (id = idFrom(`${id} ${text}`, 'question of a tool')))
}
