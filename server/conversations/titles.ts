import { beginningOf, headline } from '#contract/cutText.ts'
import { MAX_TITLE_LENGTH, Title } from '#contract/conversations.ts'
import { isThoughts, isVisible, type Message, textOf } from '#contract/messages.ts'
import type { Source } from '#contract/models.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Provider, ProviderUpstream, Question } from '#server/providers/provider.ts'
import type { Providers } from '#server/providers/providers.ts'
import type { Sources } from '#server/sources/source.ts'
import type { OwnEndpoint } from '#server/upstreams/endpoints.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import type { Owned } from './owned.ts'
import { sourceOf, toMessage } from './history.ts'
import { messagePath } from './messageStore.ts'
import { conversationStore, hasUpstreamCopy } from './store.ts'

/** Messages from the beginning that a title is made of. */
const EXCHANGE = 2

type Dependencies = {
  open: OpenDatabase
  upstreams: Pick<Upstreams, 'serving' | 'ofUser' | 'endpoint'>
  providers: Providers
  sources: Pick<Sources, 'of'>
  ownEndpoints(user_id: number, source: Source): Promise<OwnEndpoint | null>
  closing: AbortSignal
}

/** Returns the title of a conversation; asks the model for one when it has none. */
export function openTitles({ open, upstreams, providers, ownEndpoints, sources, closing }: Dependencies) {
  const store = conversationStore(open.database)
  return async (conversation: Owned, message_id: string): Promise<string> => {
    const { conversation_id, title, current_model, user_id, upstream_id } = conversation
    if (title !== null && title !== '') return title
    const source = sourceOf(conversation)
    const rows = await messagePath(open.database, conversation_id, message_id, 1000)
    const provider = providers[source]
    if (rows.length === 0) throw new Refusal('missingMessage')
    const { conversations, keepsConversations } = sources.of(source)
    if (conversations !== undefined && hasUpstreamCopy(conversation)) {
      const exchange = rows.slice(0, EXCHANGE).map(row => toMessage(row, source))
      return stored((await conversations.makeTitle(conversation, message_id)) ?? titleOfQuestion(exchange))
    }
    if (provider === null || current_model === null || keepsConversations) throw new Refusal('generateTitleFailed')
    const own = user_id === null ? null : await ownEndpoints(user_id, source)
    const upstream =
      own !== null && user_id !== null
        ? upstreams.ofUser(own, user_id)
        : answering(upstreams.serving(source, current_model), upstream_id)
    if (upstream === null) throw new Refusal('generateTitleFailed')
    const made = await makeTitle(
      provider,
      upstreams.endpoint(upstream, current_model, own),
      rows.slice(0, EXCHANGE).map(row => toMessage(row, source)),
      closing,
    )
    return stored(made)

    async function stored(title: string): Promise<string> {
      if (title === '') throw new Refusal('generateTitleFailed')
      if (await store.titleOnce(conversation_id, title)) return title
      // Somebody has set a title meanwhile, or the conversation is gone.
      return (await store.find(conversation_id))?.title ?? title
    }
  }
}

/** The upstream that was asked in the conversation last, where it still serves the model. */
function answering(serving: readonly Upstream[], upstream_id: number | null): Upstream | null {
  return serving.find(({ id }) => id === upstream_id) ?? serving[0] ?? null
}

/** Milliseconds. A title is worth a short wait only. */
const DEADLINE = 15_000
/** Of the question and of the answer, in characters: enough to know what a conversation is about. */
const EXCERPT = 1200
const MAX_MADE = 60
/** Of all that the model may write, in characters: it may think before. */
const MAX_REPLY = 8_000

/** The request to the model. The simulator recognises it by its beginning. */
const TITLE_REQUEST =
  'Write a title of at most 8 words for this conversation, in its language. Answer with the title alone.'

const QUESTION: Question = {
  source: 'openai_api',
  model: null,
  parent: null,
  create_time: null,
  reply_id: '',
  thoughts_id: '',
  continues: false,
  upstream_conversation_id: null,
  parameters: {},
  extras: {},
}

/** The title of a conversation that nobody has named: the first line of its question. */
export function titleOfQuestion(exchange: readonly Message[]): string {
  const question = exchange.find(message => message.role === 'user')
  return titleFromText(question === undefined ? '' : textOf(question))
}

/** A title made by the model from the first exchange; by the question's first line when the model gives none. */
export async function makeTitle(
  provider: Provider,
  upstream: ProviderUpstream,
  exchange: readonly Message[],
  signal: AbortSignal,
): Promise<string> {
  const fallback = titleOfQuestion(exchange)
  const request: Message = {
    id: '',
    source: 'openai_api',
    role: 'user',
    author_name: null,
    model: null,
    create_time: null,
    parent: null,
    children: [],
    metadata: null,
    content: { content_type: 'text', text: TITLE_REQUEST },
  }
  try {
    const thread = [...exchange.map(shortened), request]
    let made = ''
    let isOfTitle = true
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE)])
    await provider.reply(
      { question: QUESTION, thread, upstream: { ...upstream, max_answer_length: MAX_REPLY } },
      event => {
        if (event.type === 'message') isOfTitle = !isThoughts(event.message)
        else if (event.type === 'text' && isOfTitle) made += event.text
      },
      deadline,
    )
    return titleFromText(made) || fallback
  } catch {
    // Whatever went wrong, the conversation still gets a title.
    return fallback
  }
}

/**
 * The first line with text, without marks of Markdown, quotes and a final full stop, cut to a readable length. A text
 * of marks alone is taken as it is.
 */
export function titleFromText(text: string): string {
  const lines = text.split('\n').map(plain).filter(isVisible)
  const line = lines.map(bare).find(candidate => isVisible(candidate)) ?? lines[0] ?? ''
  return beginningOf(headline(line, MAX_MADE), MAX_TITLE_LENGTH)
}

const plain = (line: string) =>
  line
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim()

/** Of a long line its beginning: the marks at an end are found in a time that grows with the square of the length. */
function bare(line: string): string {
  return beginningOf(line.replace(/^[\s#>*\-`_"'“”「『《]+/, ''), MAX_TITLE_LENGTH)
    .replace(/[\s*`_"'“”」』》.。]+$/, '')
    .trim()
}

function shortened(message: Message): Message {
  return { ...message, content: { content_type: 'text', text: beginningOf(textOf(message), EXCERPT) } }
}

/**
 * A title from outside, cut to the allowed length, with the number of the part behind it; null when it cannot be used.
 */
export function titleOf(title: string | null, part?: number): string | null {
  const ending = part === undefined ? '' : ` (${part})`
  const line = beginningOf((title ?? '').replace(/\p{Cc}+/gu, ' ').trim(), MAX_TITLE_LENGTH - ending.length)
  return Title.safeParse(line).success ? line + ending : null
}
