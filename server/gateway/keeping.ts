import { parsed } from '#server/providers/looseJson.ts'
import type { LiveReply } from '#server/asking/liveReply.ts'
import type { KeepExchange, ToolTurn } from '#server/conversations/exchanges.ts'
import type { Log } from '#server/foundation/logging.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Key } from '#server/keys/finding.ts'
import type { RelayForm, RelaySink } from '#server/providers/relay.ts'
import type { Caller } from '#server/users/user.ts'
import { answerText } from './answerText.ts'
import type { ToolRequest } from './dialects/readRequest.ts'
import { dataIn } from './translation.ts'
import { userTurns } from './userTurns.ts'

/** What a tool asks by a key that keeps it. */
type Asked = {
  request: ToolRequest
  key: Pick<Key, 'name' | 'keeps_conversations'>
  caller: Caller
  tool: string | null
  model: string
  /** The messages of the request, as those of a chat. */
  messages: unknown
}

/** Hears an answer, and keeps it when it has ended. */
export type KeptAnswer = {
  observed(forms: readonly RelayForm[]): RelayForm[]
  /** Never rejects: nobody is refused because nothing could be kept. */
  keep(reply: LiveReply): Promise<void>
}

/** Tools that always offer tools of theirs with a question: what has none is a title, or another service. */
const WITH_TOOLS: ReadonlySet<string | null> = new Set(['Codex', 'Claude Code', 'opencode'])

/** Of reasons why something was not kept; beyond that they are said again. */
const MAX_REPORTED = 1_000

/** Keeps what tools ask as conversations of whoever has the key, where the key says so. */
export function openKeeping({ keepExchange, log }: { keepExchange: KeepExchange; log: Log }) {
  const reported = new Set<string>()
  const running = new Set<Promise<void>>()

  /** Once for each person and reason: tools ask all day. */
  function report(cause: unknown, { caller: { user_id } }: Asked, ask_id: string): void {
    const reason = `${user_id} ${cause instanceof Refusal ? cause.key : String(cause)}`
    if (reported.has(reason)) return
    if (reported.size >= MAX_REPORTED) reported.clear()
    reported.add(reason)
    log.warn({ err: cause, user_id, ask_id }, 'what a tool asked could not be kept as a conversation')
  }

  async function keep(asked: Asked, turns: readonly ToolTurn[], text: string, reply: LiveReply): Promise<void> {
    const { phase } = reply
    if (phase.at !== 'ended' || text === '') return
    const { request, key, caller, tool, model } = asked
    const ending = phase.outcome === 'finished' ? null : phase.outcome
    await keepExchange({
      ...{ user_id: caller.user_id, by_tool: { name: tool, key: key.name }, conversation: request.conversation },
      ...{ model, upstream_id: reply.upstream_id, turns, answer: { text, ending } },
    }).catch((cause: unknown) => report(cause, asked, reply.ask_id))
  }

  return {
    /** Null where nothing of it is kept. */
    of(asked: Asked): KeptAnswer | null {
      if (!asked.key.keeps_conversations || isBeside(asked)) return null
      const turns = userTurns(asked.messages)
      if (turns.length === 0) return null
      const hearing = openHearing(asked.request)
      return {
        observed: hearing.observed,
        keep(reply) {
          const kept = keep(asked, turns, hearing.text(), reply).finally(() => running.delete(kept))
          running.add(kept)
          return kept
        },
      }
    },

    /** Resolves when all is stored that has ended. */
    async close(): Promise<void> {
      await Promise.all(running)
    },
  }
}

function isBeside({ request: { body }, tool }: Asked): boolean {
  const has = (value: unknown): boolean => Array.isArray(value) && value.length > 0
  const input = Array.isArray(body['input']) ? body['input'] : []
  const isOffered = has(body['tools']) || input.some(item => item?.type === 'additional_tools')
  return WITH_TOOLS.has(tool) && !isOffered
}

/** Listens to what is passed on. Of an answer that is begun again only the last one counts. */
function openHearing({ streamed }: ToolRequest) {
  let text = (): string => ''

  function hear({ dialect, to }: RelayForm): RelaySink {
    let take: (bytes: Buffer) => void = () => undefined
    return {
      ...to,
      began(head) {
        const answer = answerText(dialect)
        if (streamed && !head.content_type.includes('json')) {
          text = answer.text
          take = events => dataIn(events.toString()).forEach(answer.take)
        } else {
          const pieces: Buffer[] = []
          take = piece => void pieces.push(piece)
          text = () => {
            answer.take(parsed(Buffer.concat(pieces.splice(0)).toString()))
            return answer.text()
          }
        }
        to.began(head)
      },
      write(bytes) {
        take(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
        return to.write(bytes)
      },
    }
  }
  return {
    observed: (forms: readonly RelayForm[]): RelayForm[] => forms.map(form => ({ ...form, to: hear(form) })),
    text: (): string => text(),
  }
}
