import { create } from 'zustand'
import { type AskRequest, CONTINUE } from '#contract/asking.ts'
import { NEW_CONVERSATION } from '#contract/conversations.ts'
import type { Message } from '#contract/messages.ts'
import { notifyTabs, onRemoval } from '#web/conversations/useConversations.ts'
import type { ChatEvent } from '#web/foundation/chatEvents.ts'
import { askOverSocket, type ChatSignals, followAsk, type OwnAsk } from '#web/foundation/chatSocket.ts'
import { useSession } from '#web/foundation/session.ts'
import { readStored, writeStored } from '#web/foundation/stored.ts'
import type { AskFields } from '#web/sources/source.ts'
import { pageSource } from '#web/sources/list/list.ts'
import { cacheNewConversation, cacheResult, cacheTitle, mustBeReadAgain, readAgain } from './askCache.ts'
import { afterEvent, type Ask, goesOnUnseen, hasText, isLiving, showsItsFailure } from './askState.ts'
import { refuseFiles, settleFiles } from '../drafts/draftFiles.tsx'
import { newId } from '../drafts/newId.ts'
import { forgetUnsaved } from '../drafts/unsaved.ts'
import { ownDrafts } from '../drafts/useDraft.ts'
import { dropFeeds, withGrownText, writeFeed } from './feeds.ts'

/** Asks are kept here and not in a screen, so that they go on while another page is open. */
type Asks = {
  asks: readonly Ask[]
  /** Conversations with an ask whose end nobody has seen here. */
  unseen: ReadonlySet<string>
  /** The conversation on the screen. */
  open: string | null
  /** The ask that ended last. */
  last: Ask | null
}

export const useAsks = create<Asks>(() => ({ asks: [], unseen: new Set(), open: null, last: null }))

const running = new Map<string, { stop: AbortController; leave: AbortController }>()
/** Every ask this page has seen, so that a history that was fetched a moment too early does not bring one back. */
const known = new Set<string>()

/** Asks and follows the answer to its end. Returns the ask's id at once. */
export function beginAsk(request: AskRequest): string {
  const ask_id = newId()
  if (request.text_content !== CONTINUE) ownDrafts().hold(draftKeyOf(request), ask_id, request.text_content)
  add({
    ...newAsk(ask_id, request.conversation_id ?? null),
    request,
    question: request.text_content === CONTINUE ? null : unsentQuestion(ask_id, request),
  })
  const signals = signalsOf(ask_id)
  void read(ask_id, send({ ...request, ask_id }, signals))
  return ask_id
}

/** Sends the ask, with the fields that its source has to fetch first. */
function send(request: OwnAsk, signals: ChatSignals): AsyncGenerator<ChatEvent> {
  const fetched = pageSource(request.source).fetchFields(AbortSignal.any([signals.stop, signals.leave]))
  return fetched === null ? askOverSocket(request, signals) : sendWith(fetched, request, signals)
}

async function* sendWith(
  fetched: Promise<AskFields>,
  request: OwnAsk,
  signals: ChatSignals,
): AsyncGenerator<ChatEvent> {
  const fields = await fetched
  if (!signals.leave.aborted) yield* askOverSocket({ ...request, ...fields }, signals)
}

/** Follows an ask of another device, or of this page before it was reloaded. */
export function follow(ask_id: string, conversation_id: string): void {
  if (known.has(ask_id)) return
  add({ ...newAsk(ask_id, conversation_id), state: { phase: 'waiting' } })
  void read(ask_id, followAsk(ask_id, 0, signalsOf(ask_id)))
}

/** Stops it at the server; what has arrived stays. */
export function stopAsk(ask_id: string): void {
  running.get(ask_id)?.stop.abort()
}

/** The same, and resolves when it is over. */
export function stopAndWait(ask_id: string): Promise<void> {
  const isOver = ({ asks }: Asks) => !asks.some(ask => ask.ask_id === ask_id && isLiving(ask.state))
  return new Promise(resolve => {
    const leave = useAsks.subscribe(state => {
      if (!isOver(state)) return
      leave()
      resolve()
    })
    stopAsk(ask_id)
  })
}

/** Removes an ask from the screen. One that was never delivered is given up. */
export function dismissAsk(ask_id: string): void {
  running.get(ask_id)?.stop.abort()
  running.get(ask_id)?.leave.abort()
  const request = useAsks.getState().asks.find(ask => ask.ask_id === ask_id)?.request ?? null
  if (request !== null) ownDrafts().release(draftKeyOf(request), ask_id)
  remove(ask_id)
}

export function openConversation(conversation_id: string | null): void {
  dropFeeds(conversation_id)
  leaveQuiet(conversation_id)
  const { asks } = useAsks.getState()
  const isOver = asks.every(ask => ask.conversation_id !== conversation_id || !isLiving(ask.state))
  useAsks.setState({ open: conversation_id })
  changeUnseen(ids => isOver && conversation_id !== null && ids.delete(conversation_id))
}

/** Those that wait until it is quiet are followed where they are looked at; the list says the rest, for hours. */
function leaveQuiet(conversation_id: string | null): void {
  const left = useAsks
    .getState()
    .asks.filter(ask => ask.state.phase === 'quiet' && ask.conversation_id !== conversation_id)
  for (const ask of left) {
    running.get(ask.ask_id)?.leave.abort()
    known.delete(ask.ask_id)
    remove(ask.ask_id)
    if (ask.conversation_id !== null) readAgain(ask.conversation_id)
  }
}

async function read(ask_id: string, events: AsyncGenerator<ChatEvent>): Promise<void> {
  let conversation_id: string | null = null
  try {
    for await (const event of events) {
      if ('type' in event && event.type === 'accepted') conversation_id = event.conversation_id
      apply(ask_id, event)
      // The title comes after the end of the ask, which is not in the state any more by then.
      if ('type' in event && event.type === 'title' && conversation_id !== null) {
        cacheTitle(conversation_id, event.title)
        notifyTabs({ conversation_id, title: event.title })
      }
    }
  } finally {
    running.delete(ask_id)
  }
}

function apply(ask_id: string, event: ChatEvent): void {
  const ask = useAsks.getState().asks.find(ask => ask.ask_id === ask_id)
  if (ask === undefined) return
  writeFeed(ask, event)
  const after = afterEvent(ask, event, Date.now())
  if (after === ask) return
  const next = isLiving(after.state) ? after : withGrownText(after)
  // The caches that the screen reads change before the ask does.
  if ('type' in event && event.type === 'accepted' && ask.request !== null) {
    const from = draftKeyOf(ask.request)
    ownDrafts().accepted(from, ask_id, event.conversation_id)
    settleFiles(from, event.conversation_id, ask.request)
    if (ask.request.new_conversation) forgetUnsaved()
  }
  if (ask.conversation_id === null && next.conversation_id !== null) {
    cacheNewConversation(next.conversation_id, next)
    notifyTabs({ conversation_id: next.conversation_id })
    expectEnd(next.conversation_id)
  }
  useAsks.setState(({ asks }) => ({ asks: asks.map(other => (other.ask_id === ask_id ? next : other)) }))
  if (isLiving(ask.state) && !isLiving(next.state)) end(next)
}

/** The files of a question are with another account, are gone, or have nothing that can be sent. */
const UNUSABLE_FILES: ReadonlySet<string> = new Set([
  'errors.fileOfOtherAccount',
  'errors.resourceNotFound',
  'errors.attachmentGone',
  'errors.attachmentNotRead',
])

/**
 * Writes the result into the conversation and removes the ask. One that failed without any text stays, to be tried
 * again or withdrawn.
 */
function end(ask: Ask): void {
  const { ask_id, conversation_id, state } = ask
  const cached = cacheResult(ask)
  const stays = state.phase === 'failed' && !showsItsFailure(ask)
  const staysUntilRead = !stays && mustBeReadAgain(ask)
  // Without a result there is nothing new to mark.
  const isNews =
    conversation_id !== useAsks.getState().open && (state.phase === 'finished' || hasText(ask) || goesOnUnseen(state))
  changeUnseen(ids => !isNews && conversation_id !== null && ids.delete(conversation_id))
  useAsks.setState({ last: ask })
  if (state.phase === 'stopped' && isUnsent(ask)) restoreDraft(ask)
  // The files are still in the draft, from where they can be uploaded to the account of this conversation.
  if (state.phase === 'failed' && UNUSABLE_FILES.has(state.tip) && isUnsent(ask))
    refuseFiles(draftKeyOf(ask.request), ask.request, { message: state.tip, values: state.values })
  if (staysUntilRead) void cached.finally(() => remove(ask_id))
  else if (!stays) remove(ask_id)
}

function remove(ask_id: string): void {
  useAsks.setState(({ asks }) => ({ asks: asks.filter(ask => ask.ask_id !== ask_id) }))
}

/** Adds an ask, in place of those of the same conversation that are over. */
function add(ask: Ask): void {
  known.add(ask.ask_id)
  const { asks } = useAsks.getState()
  const over = asks.filter(other => !isLiving(other.state) && other.conversation_id === ask.conversation_id)
  const unsent = over.filter(isUnsent)
  // An unsent question stays with its reason when another device asks. When this one does, its text becomes a draft
  // again.
  const waiting = ask.request === null ? unsent : []
  useAsks.setState({ asks: [...asks.filter(other => !over.includes(other)), ask, ...waiting] })
  if (ask.request !== null) unsent.forEach(restoreDraft)
  if (ask.conversation_id !== null) expectEnd(ask.conversation_id)
}

function restoreDraft({ request, ask_id }: UnsentAsk): void {
  ownDrafts().release(draftKeyOf(request), ask_id)
  ownDrafts().putBack(draftKeyOf(request), request.text_content)
}

type UnsentAsk = Ask & { request: AskRequest }

/** Whether its question exists only here, because the server has not stored it. */
function isUnsent(ask: Ask): ask is UnsentAsk {
  return ask.request !== null && ask.question?.id === ask.ask_id
}

function draftKeyOf({ conversation_id }: AskRequest): string {
  return conversation_id ?? NEW_CONVERSATION
}

function newAsk(ask_id: string, conversation_id: string | null): Ask {
  return {
    ask_id,
    conversation_id,
    request: null,
    question: null,
    replies: [],
    isStored: false,
    record: null,
    state: { phase: 'sending' },
    connection: { state: 'open' },
    since: Date.now(),
  }
}

/** The question as it is shown until the server has given it an id. */
function unsentQuestion(ask_id: string, { source, text_content, parent, ...fields }: AskRequest): Message {
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
    metadata: pageSource(source).files?.metadataOf(fields) ?? null,
  }
}

function signalsOf(ask_id: string): { stop: AbortSignal; leave: AbortSignal } {
  const controllers = { stop: new AbortController(), leave: new AbortController() }
  running.set(ask_id, controllers)
  return { stop: controllers.stop.signal, leave: controllers.leave.signal }
}

/** The list marks what comes of it, until somebody has looked. */
export function expectEnd(conversation_id: string): void {
  changeUnseen(ids => ids.add(conversation_id))
}

/** The browser keeps these ids for each user, so that the list can say after a reload what became of an ask. */
function changeUnseen(change: (unseen: Set<string>) => void): void {
  const { user } = useSession.getState()
  if (user === null) return
  const key = `unseen.${user.id}`
  const before = readStored(key)
  const unseen = new Set(before === null ? [] : before.split(' '))
  change(unseen)
  const after = unseen.size === 0 ? null : [...unseen].join(' ')
  if (after !== before) writeStored(key, after)
  const { unseen: shown } = useAsks.getState()
  if (unseen.size !== shown.size || [...unseen].some(id => !shown.has(id))) useAsks.setState({ unseen })
}

// Removes the asks of a deleted conversation. A question that was not sent becomes a draft again.
onRemoval(conversation_id => {
  for (const ask of useAsks.getState().asks) {
    if (ask.conversation_id === null || (conversation_id !== null && ask.conversation_id !== conversation_id)) continue
    if (isUnsent(ask)) restoreDraft(ask)
    dismissAsk(ask.ask_id)
  }
})

// Signed out: somebody else may sign in here.
useSession.subscribe(({ user }, before) => {
  if (user !== null || before.user === null) return
  for (const { leave } of running.values()) leave.abort()
  // The next user of the page may be the same one, and follow what still runs.
  known.clear()
  useAsks.setState({ asks: [], unseen: new Set(), open: null, last: null })
  forgetUnsaved()
  dropFeeds(null)
})
