import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** What the journal has of a request of the web protocol beside the rest. */
type WebDetails = {
  method: string
  query: string
  /** Chatgpt-Account-Id; null: the personal account. */
  account_id: string | null
  headers: IncomingHttpHeaders
  transport: 'http' | 'websocket'
  /** Sequence ids that the client of a WebSocket has acknowledged. */
  acknowledged: number[]
}

/** A request as the upstream saw it. `sent` grows while the answer is written. Times are epoch milliseconds. */
export type JournalEntry = {
  id: number
  time: number
  path: string
  authorization: string
  body: unknown
  sent: string
  ended: 'open' | 'complete' | 'aborted' | 'fault'
  abortedAt?: number
  web?: WebDetails
}

type Waiter = {
  predicate: (entry: JournalEntry) => boolean
  resolve: (entry: JournalEntry) => void
  deadline: NodeJS.Timeout
}

const MAX_ENTRIES = 1_000
/**
 * Bytes of request bodies that are kept, so that long contexts do not fill the memory of a process that runs for weeks.
 */
const MAX_BODY_BYTES = 16_000_000
const WAIT_DEADLINE_MS = 10_000

export type Journal = ReturnType<typeof openJournal>

export function openJournal() {
  const entries: JournalEntry[] = []
  const sizes: number[] = []
  const waiters = new Set<Waiter>()
  let last_id = 0
  let kept_bytes = 0

  function changed(entry: JournalEntry) {
    for (const waiter of waiters) {
      if (!waiter.predicate(entry)) continue
      release(waiter)
      waiter.resolve(entry)
    }
  }

  function release(waiter: Waiter) {
    clearTimeout(waiter.deadline)
    waiters.delete(waiter)
  }

  return {
    entries,

    open(seen: Pick<JournalEntry, 'path' | 'authorization' | 'body' | 'web'>, body_bytes: number): JournalEntry {
      const entry: JournalEntry = { id: (last_id += 1), time: Date.now(), ...seen, sent: '', ended: 'open' }
      entries.push(entry)
      sizes.push(body_bytes)
      kept_bytes += body_bytes
      while (entries.length > MAX_ENTRIES || (kept_bytes > MAX_BODY_BYTES && entries.length > 1)) {
        entries.shift()
        kept_bytes -= sizes.shift() ?? 0
      }
      changed(entry)
      return entry
    },

    sent(entry: JournalEntry, text: string) {
      entry.sent += text
      if (waiters.size > 0) changed(entry)
    },

    /** The first call counts: the close after a complete answer is no abort. */
    end(entry: JournalEntry, how: 'complete' | 'aborted' | 'fault') {
      if (entry.ended !== 'open') return
      entry.ended = how
      if (how === 'aborted') entry.abortedAt = Date.now()
      changed(entry)
    },

    /** The first entry, present or coming, that the predicate accepts. */
    waitFor(predicate: (entry: JournalEntry) => boolean): Promise<JournalEntry> {
      const present = entries.find(predicate)
      if (present) return Promise.resolve(present)
      return new Promise((resolve, reject) => {
        const deadline = setTimeout(() => {
          release(waiter)
          const seen = JSON.stringify(entries.at(-1) ?? null)
          reject(new Error(`no such request within ${WAIT_DEADLINE_MS / 1_000} s; the last one seen: ${seen}`))
        }, WAIT_DEADLINE_MS)
        const waiter: Waiter = { predicate, resolve, deadline }
        waiters.add(waiter)
      })
    },
  }
}

/** What the journal keeps of a request beside its path, token and body. */
export function detailsOf(request: IncomingMessage): WebDetails {
  const account_id = request.headers['chatgpt-account-id']
  return {
    method: request.method ?? '',
    query: new URL(request.url ?? '/', 'http://simulator').searchParams.toString(),
    account_id: typeof account_id === 'string' ? account_id : null,
    headers: request.headers,
    transport: 'http',
    acknowledged: [],
  }
}
