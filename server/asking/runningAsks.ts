import { askStore } from '#server/asks/store.ts'
import type { AskDependencies } from './dependencies.ts'
import type { LiveReply } from './liveReply.ts'

/** Why an ask was ended from outside: the reason of its signal. */
export type Stop = 'stopped' | 'interrupted'

type RunningAsk = { user_id: number; reply: LiveReply; stop: AbortController; done: Promise<void> }
type EndedAsk = Pick<RunningAsk, 'user_id' | 'reply'>

/** Milliseconds that a finished answer stays at hand for whoever reconnects. */
const ENDED_TTL_MS = 60_000

export type RunningAsks = ReturnType<typeof openRunningAsks>

type Dependencies = Pick<AskDependencies, 'open' | 'publishStop'> & {
  /** Ends an ask that waits until it is quiet, which no process holds. */
  endWaiting(ask_id: string): Promise<void>
}

/** The asks that this process runs, and those that ended here lately. */
export function openRunningAsks({ open, publishStop, endWaiting }: Dependencies) {
  const running = new Map<string, RunningAsk>()
  const ended = new Map<string, EndedAsk>()

  const abort = (ask_id: string, reason: Stop): void => running.get(ask_id)?.stop.abort(reason)

  /** Ends an ask wherever it runs; what has arrived is kept. */
  async function stop(ask_id: string): Promise<void> {
    if (running.has(ask_id)) return abort(ask_id, 'stopped')
    await askStore(open.database).requestStop(ask_id)
    publishStop(ask_id)
    // From now on nobody begins it.
    const ask = await askStore(open.database).find(ask_id)
    if (ask?.ask_state === 'quiet') await endWaiting(ask_id)
  }

  return {
    add: (ask: RunningAsk): void => {
      running.set(ask.reply.ask_id, ask)
    },

    /** Its end is stored; the reply stays at hand for a while. */
    end(ask_id: string): void {
      const ask = running.get(ask_id)
      if (ask === undefined) return
      running.delete(ask_id)
      ended.set(ask_id, { user_id: ask.user_id, reply: ask.reply })
      setTimeout(() => ended.delete(ask_id), ENDED_TTL_MS).unref()
    },

    /** Its end could not be stored here. */
    remove: (ask_id: string): void => {
      running.delete(ask_id)
    },

    /** A reply to this person that runs here, or ended here lately. */
    find(user_id: number, ask_id: string): LiveReply | null {
      const ask = running.get(ask_id) ?? ended.get(ask_id)
      return ask?.user_id === user_id ? ask.reply : null
    },

    has: (ask_id: string): boolean => running.has(ask_id),

    ids: (): string[] => [...running.keys()],

    stop,

    stopHere: (ask_id: string): void => abort(ask_id, 'stopped'),

    /** Another process has claimed it. */
    interruptHere: (ask_id: string): void => abort(ask_id, 'interrupted'),

    /** Stops an ask that may have ended; false when it had. */
    async stopIfLiving(ask_id: string): Promise<boolean> {
      const ask = await askStore(open.database).find(ask_id)
      if (ask === undefined || ask.end_time !== null) return false
      await stop(ask_id)
      return true
    },

    /** Ends everything of a person, as before the account is removed. */
    async stopAllOf(user_id: number): Promise<void> {
      const own = [...running.values()].filter(ask => ask.user_id === user_id)
      const asks = await askStore(open.database).livingOf(user_id)
      await Promise.all(asks.map(({ ask_id }) => stop(ask_id)))
      await Promise.all(own.map(ask => ask.done))
    },

    /**
     * Ends asks that wait at once, and asks that are being answered when the signal says that time is up. What has
     * arrived is kept.
     */
    async close(timeIsUp: AbortSignal): Promise<void> {
      const left = [...running.values()]
      for (const { reply } of left) if (reply.phase.at === 'queueing') abort(reply.ask_id, 'interrupted')
      const interrupt = () => {
        for (const { reply } of left) abort(reply.ask_id, 'interrupted')
      }
      timeIsUp.addEventListener('abort', interrupt)
      if (timeIsUp.aborted) interrupt()
      await Promise.all(left.map(ask => ask.done))
    },
  }
}
