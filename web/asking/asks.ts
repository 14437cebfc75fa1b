import { create } from 'zustand'
import { type AskRequest, CONTINUE } from '#contract/asking.ts'
import { NEW_CONVERSATION } from '#contract/conversations.ts'
import type { Message } from '#contract/messages.ts'
import { onRemoval } from '#web/conversations/conversationEvents.ts'
import { askOverSocket, followAsk } from '#web/foundation/chatSocket.ts'
import type { ChatEvent } from '#web/foundation/chatEvents.ts'
import { useSession } from '#web/foundation/session.ts'
import { afterEvent, type Ask, goesOnUnseen, hasText, isAwaited, isToldInPlace } from './askState.ts'
import { settleFiles } from './drafts/draftFiles.tsx'
import { dropFeeds, withGrownText, writeFeed } from './feeds.ts'
import { keepAccepted, keepEnded, keepTitle } from './keepAsk.ts'
import { newId } from './drafts/newId.ts'
import { holdConversation } from './drafts/unsaved.ts'
import { changeUnseen } from './unseen.ts'
import { ownDrafts } from './drafts/useDraft.ts'

/** Asks live here and not in a screen, so that they go on while another page is open. */
type Asks = {
  asks: readonly Ask[]
  /** Conversations with something asked in them whose end nobody has seen here. */
  unseen: ReadonlySet<string>
  /** The conversation on the screen. */
  open: string | null
  /** The one that ended last. */
  last: Ask | null
}

export const useAsks = create<Asks>(() => ({ asks: [], unseen: new Set(), open: null, last: null }))

const running = new Map<string, { stop: AbortController; leave: AbortController }>()
/** Every ask this page has seen: a history that was fetched a moment too early must not bring one back. */
const known = new Set<string>()

/** Asks and follows the answer to its end. Returns the ask's id at once. */
export function beginAsk(request: AskRequest): string {
  const ask_id = newId()
  if (request.text_content !== CONTINUE) ownDrafts().hold(placeOf(request), ask_id, request.text_content)
  add({
    ...beginning(ask_id, request.conversation_id ?? null),
    request,
    question: request.text_content === CONTINUE ? null : draftedQuestion(ask_id, request),
  })
  const signals = signalsOf(ask_id)
  void read(ask_id, askOverSocket({ ...request, ask_id }, signals))
  return ask_id
}

/** Follows an ask of another device, or of this page before it was reloaded. */
export function follow(ask_id: string, conversation_id: string): void {
  if (known.has(ask_id)) return
  add({ ...beginning(ask_id, conversation_id), state: { phase: 'waiting' } })
  void read(ask_id, followAsk(ask_id, 0, signalsOf(ask_id)))
}

/** Stops it at the server; what has arrived stays. */
export function stopAsk(ask_id: string): void {
  running.get(ask_id)?.stop.abort()
}

/** Removes an ask from the screen; one that was never delivered is given up. */
export function dismissAsk(ask_id: string): void {
  running.get(ask_id)?.stop.abort()
  running.get(ask_id)?.leave.abort()
  const { asks } = useAsks.getState()
  const request = asks.find(ask => ask.ask_id === ask_id)?.request ?? null
  if (request !== null) ownDrafts().release(placeOf(request), ask_id)
  useAsks.setState({ asks: asks.filter(ask => ask.ask_id !== ask_id) })
}

export function openConversation(conversation_id: string | null): void {
  dropFeeds(conversation_id)
  const { asks, unseen } = useAsks.getState()
  const isOver = asks.every(ask => ask.conversation_id !== conversation_id || !isAwaited(ask.state))
  useAsks.setState({
    open: conversation_id,
    unseen: changeUnseen(unseen, ids => isOver && conversation_id !== null && ids.delete(conversation_id)),
  })
}

async function read(ask_id: string, events: AsyncGenerator<ChatEvent>): Promise<void> {
  let conversation_id: string | null = null
  try {
    for await (const event of events) {
      if ('type' in event && event.type === 'accepted') conversation_id = event.conversation_id
      take(ask_id, event)
      // It may come when the ask is over and gone from here.
      if ('type' in event && event.type === 'title' && conversation_id !== null) keepTitle(conversation_id, event.title)
    }
  } finally {
    running.delete(ask_id)
  }
}

function take(ask_id: string, event: ChatEvent): void {
  const ask = useAsks.getState().asks.find(ask => ask.ask_id === ask_id)
  if (ask === undefined) return
  writeFeed(ask, event)
  const told = afterEvent(ask, event, Date.now())
  if (told === ask) return
  const next = isAwaited(told.state) ? told : withGrownText(told)
  // First what the screen will read, then the news.
  if ('type' in event && event.type === 'accepted' && ask.request !== null) {
    const from = placeOf(ask.request)
    ownDrafts().accepted(from, ask_id, event.conversation_id)
    settleFiles(from, event.conversation_id, ask.request)
    if (ask.request.new_conversation) holdConversation(null)
  }
  if (ask.conversation_id === null && next.conversation_id !== null) {
    keepAccepted(next)
    expectEnd(next.conversation_id)
  }
  useAsks.setState(({ asks }) => ({ asks: asks.map(other => (other.ask_id === ask_id ? next : other)) }))
  if (isAwaited(ask.state) && !isAwaited(next.state)) end(next)
}

/** What came is written into the conversation, once. An ask that failed and brought nothing stays, to be tried again or withdrawn. */
function end(ask: Ask): void {
  keepEnded(ask)
  const { conversation_id, state } = ask
  const { asks, open, unseen } = useAsks.getState()
  // Where nothing came, nothing new is to be seen.
  const isNews = conversation_id !== open && (state.phase === 'finished' || hasText(ask) || goesOnUnseen(state))
  useAsks.setState({
    asks: state.phase === 'failed' && !isToldInPlace(ask) ? asks : asks.filter(other => other.ask_id !== ask.ask_id),
    unseen: changeUnseen(unseen, ids => !isNews && conversation_id !== null && ids.delete(conversation_id)),
    last: ask,
  })
}

function expectEnd(conversation_id: string): void {
  useAsks.setState(({ unseen }) => ({ unseen: changeUnseen(unseen, ids => ids.add(conversation_id)) }))
}

/** Takes the place of what is over in its conversation. */
function add(ask: Ask): void {
  known.add(ask.ask_id)
  const { asks } = useAsks.getState()
  const over = asks.filter(other => !isAwaited(other.state) && other.conversation_id === ask.conversation_id)
  const untaken = over.filter(isUntaken)
  // What is asked elsewhere decides nothing about a question that waits here with its reason. Asking on does: its text is a draft again.
  const waiting = ask.request === null ? untaken : []
  useAsks.setState({ asks: [...asks.filter(other => !over.includes(other)), ask, ...waiting] })
  if (ask.request !== null) untaken.forEach(takeBack)
  if (ask.conversation_id !== null) expectEnd(ask.conversation_id)
}

function takeBack({ request, ask_id }: Untaken): void {
  ownDrafts().release(placeOf(request), ask_id)
  ownDrafts().putBack(placeOf(request), request.text_content)
}

type Untaken = Ask & { request: AskRequest }

/** A question that the server has not stored: it exists only here. */
function isUntaken(ask: Ask): ask is Untaken {
  return ask.request !== null && ask.question?.id === ask.ask_id
}

/** The key of its draft. */
function placeOf({ conversation_id }: AskRequest): string {
  return conversation_id ?? NEW_CONVERSATION
}

function beginning(ask_id: string, conversation_id: string | null): Ask {
  return {
    ask_id,
    conversation_id,
    request: null,
    question: null,
    replies: [],
    isStored: false,
    record: null,
    title: null,
    state: { phase: 'sending' },
    connection: { state: 'open' },
    since: Date.now(),
  }
}

/** The question as it stands until the server has given it its id. */
function draftedQuestion(
  ask_id: string,
  { source, text_content, parent, openai_web_attachments: attachments }: AskRequest,
): Message {
  return {
    id: ask_id,
    source,
    role: 'user',
    author_name: null,
    model: null,
    create_time: new Date().toISOString(),
    parent: parent ?? null,
    children: [],
    content: { content_type: 'text', text: text_content },
    metadata: attachments == null ? null : { source: 'openai_web', attachments },
  }
}

function signalsOf(ask_id: string): { stop: AbortSignal; leave: AbortSignal } {
  const controllers = { stop: new AbortController(), leave: new AbortController() }
  running.set(ask_id, controllers)
  return { stop: controllers.stop.signal, leave: controllers.leave.signal }
}

// What is deleted is not waited for any more. A question that the server never took is a draft again.
onRemoval(conversation_id => {
  for (const ask of useAsks.getState().asks) {
    if (ask.conversation_id === null || (conversation_id !== null && ask.conversation_id !== conversation_id)) continue
    if (isUntaken(ask)) takeBack(ask)
    dismissAsk(ask.ask_id)
  }
})

// Signed out: somebody else may sit down here.
useSession.subscribe(({ user }, before) => {
  if (user !== null || before.user === null) return
  for (const { leave } of running.values()) leave.abort()
  // Whoever signs in again may take up what still runs.
  known.clear()
  useAsks.setState({ asks: [], unseen: new Set(), open: null, last: null })
  holdConversation(null)
  dropFeeds(null)
})
