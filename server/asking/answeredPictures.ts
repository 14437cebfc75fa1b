import { type KeptAttachment, type Message, textOf } from '#contract/messages.ts'
import { attachedTo, isPicture, type SentAttachment } from './fitting.ts'

/** Pictures of answers that are sent with one thread: the latest. */
const MAX_SENT = 8

/** A picture of an answer that was stored as a file (answerPictures.ts). */
const KEPT = /!\[[^\]\n]{0,1000}\]\(\/api\/files\/([0-9a-f-]{36})\/content\)/g

/**
 * The thread as a model that sees pictures gets it: with those of its own answers, beside the question that follows
 * them, since endpoints take none in what an assistant has said. They are left out like those of earlier questions.
 *
 * `load`: what there is of these files of the person.
 */
export async function withAnsweredPictures(
  thread: readonly Message[],
  takes_pictures: boolean | null,
  load: (ids: readonly string[]) => Promise<readonly KeptAttachment[]>,
): Promise<readonly Message[]> {
  if (!seesPictures(thread, takes_pictures)) return thread
  const ids = thread.map(picturesIn)
  const latest = new Set(ids.flat().slice(-MAX_SENT))
  if (latest.size === 0) return thread
  const files = new Map((await load([...latest])).map(file => [file.id, file]))
  let waiting: SentAttachment[] = []
  return thread.map((message, at) => {
    waiting.push(...(ids[at] ?? []).flatMap(id => ofAnswer(latest.has(id) ? files.get(id) : undefined)))
    if (message.role !== 'user' || waiting.length === 0) return message
    const { metadata } = message
    if (metadata?.source === 'openai_web') return message
    const attachments = [...waiting, ...attachedTo(message)]
    waiting = []
    return { ...message, metadata: { ...metadata, source: 'openai_api', attachments } }
  })
}

/** Where nobody says what a model takes, it has looked at pictures of an earlier question. */
const seesPictures = (thread: readonly Message[], takes_pictures: boolean | null): boolean =>
  takes_pictures ?? thread.slice(0, -1).some(message => attachedTo(message).some(isPicture))

const picturesIn = (message: Message): string[] =>
  message.role === 'assistant' ? [...textOf(message).matchAll(KEPT)].flatMap(([, id]) => id ?? []) : []

const ofAnswer = (file: KeptAttachment | undefined): SentAttachment[] =>
  file === undefined ? [] : [{ ...file, is_of_answer: true }]
