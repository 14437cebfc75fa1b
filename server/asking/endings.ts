import type { Outcome } from '#contract/asking.ts'
import { isThoughts, type Message, textOf } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { toMessage } from '#server/conversations/history.ts'
import { keepMessages, searchedOf } from '#server/conversations/keepMessages.ts'
import { messageStore } from '#server/conversations/messageStore.ts'
import { conversationStore, removeWithOnly } from '#server/conversations/store.ts'
import { titleFromText } from '#server/conversations/titles.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { SendWithCommit, OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import type { SearchIndex } from '#server/foundation/database/search.ts'
import type { SearchedMessage } from '#server/foundation/database/searchQuestion.ts'
import { failureOf } from '#server/foundation/refusal.ts'
import { type Reserved, settle } from '#server/limits/limits.ts'
import { inGroups } from './groups.ts'
import type { Failure } from './liveReply.ts'
import { askLogStore } from '#server/asks/logStore.ts'
import { type AskRow, askStore } from '#server/asks/store.ts'

export type Ending = {
  ask_id: string
  outcome: Outcome
  failure: Failure | null
  messages: readonly Message[]
  /** Whether anything of the answer has come. If so the ask is charged, else it is given back, and only thoughts are stored. */
  hasText: boolean
  first_token_time: number | null
  /** Its conversation began with it, and goes with it unless something of an answer has come. */
  leavesNothing?: boolean
}

/** How an ask has ended, as it was stored. */
export type Ended = Pick<Ending, 'outcome' | 'failure'> & { charged: boolean }

/** What is stored of an ending, and what the search has to be told of it. */
type Stored = { ended: Ended; searched: SearchedMessage[] }

/**
 * Every ask ends here, once: the answer stored, its question found by the search from now on, the reservation settled and the log
 * written, in one transaction. Whoever has the answer has it already, so others may be let in first.
 */
export function openEndings({ open, clock, search }: { open: OpenDatabase; clock: Clock; search: SearchIndex }) {
  async function endAll(
    trx: Transaction,
    sendWithCommit: SendWithCommit,
    endings: readonly Ending[],
  ): Promise<Ended[]> {
    const stored = await Promise.all(endings.map(ending => storedEnding(trx, ending, clock.now())))
    await search.prepare(trx)
    sendWithCommit(
      search.add(
        trx,
        stored.flatMap(({ searched }) => searched),
      ),
    )
    return stored.map(({ ended }) => ended)
  }

  // On SQLite, where there is one writer, those that end at the same moment do so together, so that the index of the search is written once
  // for all of them. On PostgreSQL each has a connection, and the lock of one ask.
  if (open.engine === 'postgresql') {
    return (ending: Ending): Promise<Ended> =>
      open.transaction(async (trx, sendWithCommit) => (await endAll(trx, sendWithCommit, [ending]))[0] as Ended) // of one there is one
  }
  return inGroups<Ending, Ended>({
    open,
    options: { lowPriority: true },
    mayJoin: ({ ask_id }, group) => group.every(other => other.ask_id !== ask_id),
    work: async (trx, sendWithCommit, group) =>
      (await endAll(trx, sendWithCommit, group)).map(value => ({ status: 'fulfilled', value })),
  })
}
export type End = ReturnType<typeof openEndings>

async function storedEnding(trx: Transaction, ending: Ending, now: number): Promise<Stored> {
  const store = askStore(trx)
  const { ask_id, outcome, failure, hasText } = ending
  const first_token_time = hasText ? (ending.first_token_time ?? now) : null
  const ask = await store.close(ask_id, {
    outcome,
    failure_key: failure?.key ?? null,
    failure_values: failure?.values ?? null,
    first_token_time,
    end_time: now,
  })
  const ended = { outcome, failure, charged: hasText }
  if (ask === undefined) return { ended: endedBefore(await store.find(ask_id)) ?? ended, searched: [] }
  const conversations = conversationStore(trx)
  // The conversation may have been removed for good while it was being answered.
  const [conversation, question] = await Promise.all([
    conversations.find(ask.conversation_id),
    messageStore(trx).find(ask.conversation_id, ask.question_id),
  ])
  const isGone =
    ending.leavesNothing === true && !hasText && (await removeWithOnly(trx, ask.conversation_id, ask.question_id))
  const kept = conversation === undefined || isGone ? [] : ending.messages.filter(message => isKept(message, ending))
  const messages = kept.map(message => marked(message, ending))
  // Only admission writes these columns.
  const charge = { ask_id, user_id: ask.user_id, source: ask.source as Source, model: ask.model, now }
  const started = ask.start_time ?? now
  // A question is of the same moment as its own ask. That of an answer given anew is older, and known since its own ask ended.
  const isNew = !isGone && question?.role === 'user' && question.create_time === ask.create_time
  // Of one that did not come to its end no model is asked for a title: what was asked says what it is about.
  const title =
    outcome !== 'finished' &&
    !isGone &&
    conversation?.title === null &&
    question?.role === 'user' &&
    question.parent === null
      ? titleFromText(textOf(toMessage(question, charge.source)))
      : ''
  await Promise.all([
    keepMessages(trx, ask.conversation_id, messages, now),
    settle(trx, charge, ask.reserved as Reserved, hasText),
    title !== '' && conversations.titleOnce(ask.conversation_id, title),
    hasText &&
      askLogStore(trx).write({
        log_time: now,
        source: ask.source,
        model: ask.model,
        user_id: ask.user_id,
        conversation_id: ask.conversation_id,
        queueing_time: seconds(started - ask.create_time),
        ask_time: seconds(now - started),
        upstream_id: ask.upstream_id,
      }),
  ])
  return {
    ended,
    searched: searchedOf(ask.conversation_id, [...(isNew ? [toMessage(question, charge.source)] : []), ...messages]),
  }
}

/** The ending that is already stored: by another process that took the ask for abandoned, or by this one without hearing of it. */
function endedBefore(ask: AskRow | undefined): Ended | null {
  if (ask === undefined || ask.outcome === null) return null
  return {
    outcome: ask.outcome as Outcome, // only this file writes it, and the key
    failure: ask.failure_key === null ? null : { key: ask.failure_key as RefusalKey, values: ask.failure_values ?? {} },
    charged: ask.first_token_time !== null,
  }
}

function isKept({ content }: Message, { hasText }: Ending): boolean {
  return content?.content_type === 'thoughts' ? content.text !== '' : hasText
}

/** An answer that did not come to its own end says so, and why, wherever it is shown. So do thoughts that no answer follows. */
function marked(message: Message, { outcome, failure, hasText }: Ending): Message {
  if (
    outcome === 'finished' ||
    message.role === 'user' ||
    message.metadata === null ||
    (hasText && isThoughts(message))
  )
    return message
  return {
    ...message,
    metadata: {
      ...message.metadata,
      ending: outcome,
      ...(failure !== null && { failure: failureOf(failure, hasText) }),
    },
  }
}

const seconds = (milliseconds: number) => Math.max(0, Math.round(milliseconds) / 1000)
