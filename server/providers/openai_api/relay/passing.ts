import type { OutboundAnswer } from '#server/foundation/outbound/outbound.ts'
import type { RelaySink } from '../../relay.ts'

/** Headers of an answer that are passed on. What an account says of its limits is not the person's. */
const PASSED_HEADERS = ['openai-processing-ms', 'openai-version', 'x-reasoning-included']

/** Passes an answer on, as fast as it is taken. */
export function openPassing(to: RelaySink, { status, header, body }: OutboundAnswer) {
  let hasBegun = false
  let writing: Promise<void> | null = null
  let waiting: Uint8Array[] = []
  let failure: { cause: unknown } | null = null

  function begin(): void {
    hasBegun = true
    const headers = PASSED_HEADERS.flatMap(name => {
      const value = header(name)
      return value === undefined ? [] : [[name, value] as const]
    })
    to.began({
      status,
      content_type: header('content-type') ?? 'application/json',
      headers: Object.fromEntries(headers),
    })
  }

  async function writeAll(first: Promise<void>): Promise<void> {
    try {
      await first
      while (waiting.length > 0) {
        const bytes = Buffer.concat(waiting)
        waiting = []
        await to.write(bytes)
      }
      writing = null
      body.resume()
    } catch (cause) {
      failure = { cause }
      body.destroy()
    }
  }

  return {
    hasBegun: () => hasBegun,

    pass(pieces: readonly Uint8Array[]): void {
      const [only] = pieces
      if (only === undefined) return
      if (!hasBegun) begin()
      const bytes = pieces.length === 1 ? only : Buffer.concat(pieces)
      if (writing !== null) return void waiting.push(bytes)
      const taken = to.write(bytes)
      if (taken === null) return
      body.pause()
      writing = writeAll(taken)
    },

    /** Resolves when everything is taken; rejects where whoever takes it has failed, or when the signal aborts. */
    async taken(signal: AbortSignal): Promise<void> {
      const aborted = Promise.withResolvers<void>()
      const abort = () => aborted.resolve()
      signal.addEventListener('abort', abort)
      if (!signal.aborted) await Promise.race([writing, aborted.promise])
      signal.removeEventListener('abort', abort)
      if (failure !== null) throw failure.cause
    },
  }
}
