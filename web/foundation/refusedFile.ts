import { Envelope } from '#contract/envelope.ts'
import { RefusedCall, TransportFailure } from './call.ts'
import { failureText } from './failures.ts'

/**
 * Why the portal does not give out the file at this address, which an element of the page could not load: browsers tell
 * nothing of it. Null where it gives it out now.
 */
export async function reasonOf(address: string, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(address, { credentials: 'same-origin', signal })
    if (response.ok) {
      void response.body?.cancel()
      return null
    }
    const { success, data } = Envelope.safeParse(await response.json().catch(() => null))
    return failureText(success ? new RefusedCall(data) : new TransportFailure('', { status: response.status }))
  } catch (error) {
    return signal.aborted ? null : failureText(new TransportFailure('', { cause: error }))
  }
}
