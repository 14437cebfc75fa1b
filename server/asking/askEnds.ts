import { type Refusal, storageRefusalOf } from '#server/foundation/refusal.ts'
import type { AskResult } from './completion.ts'
import type { AskDependencies } from './dependencies.ts'
import type { AskEnd, LiveReply } from './liveReply.ts'
import type { RunningAsks } from './runningAsks.ts'

/** Milliseconds between tries when the end of an answer could not be stored. */
const RETRIES = [200, 1_000, 4_000]

type Dependencies = Pick<AskDependencies, 'log' | 'complete' | 'chunks' | 'publishChange'> & { running: RunningAsks }

/** Stores the ends of asks before anybody hears of them. What cannot be stored is tried again. */
export function openAskEnds({ log, complete, chunks, publishChange, running }: Dependencies) {
  /** Asks whose end cannot be stored at the moment, and why. */
  const unstored = new Map<string, Refusal>()
  let stopping = false

  async function store(reply: LiveReply, result: AskResult): Promise<AskEnd> {
    await chunks.remove(reply.ask_id)
    for (let attempt = 0; ; attempt++) {
      try {
        const end = await complete(result)
        running.end(reply.ask_id)
        unstored.delete(reply.ask_id)
        publishChange(reply.ask_id)
        reply.reach({ at: 'ended', ...end })
        return end
      } catch (error) {
        log.error({ err: error, ask_id: reply.ask_id }, 'the end of an ask could not be stored')
        const ofStorage = stopping ? null : storageRefusalOf(error)
        // On a disk that takes nothing, or without the database, it is tried until it is stored: the whole answer is here and nowhere else.
        const pause = RETRIES[attempt] ?? (ofStorage === null ? undefined : RETRIES.at(-1))
        if (pause === undefined) return giveUp(reply)
        if (ofStorage !== null && attempt === RETRIES.length) announceUnstored(reply, ofStorage)
        await new Promise(resolve => {
          setTimeout(resolve, pause)
        })
      }
    }
  }

  /** Tells readers why they need not wait any longer. */
  function announceUnstored(reply: LiveReply, refusal: Refusal): void {
    unstored.set(reply.ask_id, refusal)
    reply.title = Promise.resolve(null)
    const failure = { key: refusal.key, values: {} }
    reply.reach({ at: 'ended', outcome: 'failed', charged: reply.hasText, failure, stored: null })
  }

  /** Without this process's lease another try is made from the chunks, here or in another process. */
  function giveUp(reply: LiveReply): AskEnd {
    running.remove(reply.ask_id)
    unstored.delete(reply.ask_id)
    const failure = { key: 'interrupted', values: {} } as const
    const end: AskEnd = { outcome: 'interrupted', charged: reply.hasText, failure, stored: null }
    reply.reach({ at: 'ended', ...end })
    return end
  }

  return {
    store,

    /** Refuses while no ends are stored: otherwise people would only read that an ask of theirs is still running. */
    requireStorage(): void {
      for (const refusal of unstored.values()) throw refusal
    },

    /** From now on nothing is tried for longer than a few seconds. */
    stop(): void {
      stopping = true
    },
  }
}
