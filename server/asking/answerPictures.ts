import { isThoughts, type Message, textOf, withText } from '#contract/messages.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Outbound } from '#server/foundation/outbound/outbound.ts'
import { HEAD_BYTES, imageIn } from '#server/foundation/pictures.ts'
import type { ProviderUpstream } from '#server/providers/provider.ts'

/** Pictures of one answer; more stay as they came. */
const MAX_KEPT = 16
/** Of a picture that is fetched by its link. */
const MAX_BYTES = 20 * 1024 * 1024
/** Milliseconds for all that an answer links to: links live for minutes or hours, and its reader waits for the end. */
const MAX_FETCHING = 20_000
/** Shorter data are no picture. */
const MIN_DATA = 64

type Dependencies = {
  outbound: Pick<Outbound, 'request'>
  log: Log
  /** Stores a picture as a file of the person; gives its id. */
  keepPicture(user_id: number, picture: { name: string; bytes: Buffer; conversation_id: string }): Promise<string>
}

/** An answer that has come, and what is to be known of it. */
export type AnsweredPictures = {
  user_id: number
  conversation_id: string | null
  /** Links to pictures that the endpoint sent beside what the model wrote. */
  links: ReadonlySet<string>
  upstream: ProviderUpstream
}

export type KeepPictures = ReturnType<typeof openAnswerPictures>

/**
 * Pictures in answers become files of the person who asked: those that came as data, and those that the endpoint itself
 * links to, fetched while they are there. A link that a model wrote is not fetched: in it a document could send away
 * what it has read. What cannot be kept stays as it came.
 */
export function openAnswerPictures({ outbound, log, keepPicture }: Dependencies) {
  async function keepAll(text: string, given: AnsweredPictures & { conversation_id: string }): Promise<string> {
    const ends = AbortSignal.timeout(MAX_FETCHING)
    const known = new Map<string, string | null>()
    let kept = ''
    let from = 0
    for (const { start, end } of picturesIn(text).slice(0, MAX_KEPT)) {
      const url = text.slice(start, end)
      if (!known.has(url)) known.set(url, await keepOne(url, given, ends))
      const own = known.get(url) ?? null
      kept += text.slice(from, start) + (own ?? url)
      from = end
    }
    return kept + text.slice(from)
  }

  /** The address of the picture here; null where it is not kept. */
  async function keepOne(
    url: string,
    { user_id, conversation_id, ...given }: AnsweredPictures & { conversation_id: string },
    signal: AbortSignal,
  ): Promise<string | null> {
    try {
      const bytes = url.startsWith('data:') ? bytesOf(url) : await fetched(url, given, signal)
      const image = bytes === null ? null : imageIn(bytes.subarray(0, HEAD_BYTES))
      if (bytes === null || image === null) return null
      const name = `picture.${image.content_type.replace('image/', '').replace('jpeg', 'jpg')}`
      return `/api/files/${await keepPicture(user_id, { name, bytes, conversation_id })}/content`
    } catch (error) {
      log.warn({ err: error }, 'a picture of an answer was not kept')
      return null
    }
  }

  async function fetched(
    url: string,
    { links, upstream }: Pick<AnsweredPictures, 'links' | 'upstream'>,
    signal: AbortSignal,
  ): Promise<Buffer | null> {
    if (!links.has(url)) return null
    const isOfEndpoint = URL.parse(url)?.origin === URL.parse(upstream.base_url)?.origin
    const answer = await outbound.request({
      method: 'GET',
      url,
      headers: { accept: 'image/*' },
      connect_timeout_ms: MAX_FETCHING,
      first_byte_timeout_ms: MAX_FETCHING,
      idle_timeout_ms: MAX_FETCHING,
      total_timeout_ms: MAX_FETCHING,
      signal,
      proxy: upstream.proxy,
      // Any other address than the endpoint's own is one that nobody has set.
      addresses: isOfEndpoint ? upstream.addresses : { public_only: true, except: [] },
    })
    if (answer.status !== 200) {
      answer.body.destroy()
      return null
    }
    const pieces: Uint8Array[] = []
    for await (const piece of answer.body.stream(MAX_BYTES)) pieces.push(piece as Uint8Array) // a stream of bytes
    return Buffer.concat(pieces)
  }

  return async (messages: readonly Message[], given: AnsweredPictures): Promise<Message[]> => {
    const { conversation_id } = given
    if (conversation_id === null) return [...messages]
    const kept: Message[] = []
    for (const message of messages) {
      const text = textOf(message)
      const mayHave = message.role === 'assistant' && !isThoughts(message) && text.includes('](')
      const now = mayHave ? await keepAll(text, { ...given, conversation_id }) : text
      kept.push(now === text ? message : { ...message, content: withText(message.content, now) })
    }
    return kept
  }
}

const bytesOf = (url: string): Buffer => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')

/** The beginning of a picture in Markdown, up to its address. */
const PICTURE = /!\[[^\]\n]{0,1000}\]\(\s{0,20}<?(?=(data:image\/[a-z]{2,20};base64,)|https?:\/\/)/g
/** By what the address ends. An expression that matched megabytes of data themselves would take long. */
const NO_DATA = /[^A-Za-z0-9+/=]/g
const NO_LINK = /[\s<>()"\\]/g
const FENCE = /^ {0,3}(?:```|~~~)/gm

/** Where the addresses of pictures stand in a text, outside of code. */
export function picturesIn(text: string): { start: number; end: number }[] {
  const fences = [...text.matchAll(FENCE)].map(({ index }) => index)
  const isCode = (at: number): boolean => fences.filter(fence => fence < at).length % 2 === 1
  return [...text.matchAll(PICTURE)].flatMap(({ 0: before, 1: data, index }) => {
    const start = index + before.length
    const ending = data === undefined ? NO_LINK : NO_DATA
    ending.lastIndex = start + (data?.length ?? 0)
    const end = ending.exec(text)?.index ?? text.length
    return isCode(index) || (data !== undefined && end - start < MIN_DATA) ? [] : [{ start, end }]
  })
}
