import { useEffect, useState } from 'react'
import { Envelope } from '#contract/envelope.ts'
import { RefusedCall, TransportFailure } from './call.ts'
import { failureText } from './failures.ts'

/**
 * Why the portal did not give the picture at this address: a browser tells nothing of it, so it is requested once more.
 */
export function useReason(address: string | null): string | null {
  const [found, setFound] = useState<{ address: string; why: string | null } | null>(null)
  useEffect(() => {
    if (address === null) return undefined
    const leaving = new AbortController()
    void reasonOf(address, leaving.signal).then(why => {
      if (!leaving.signal.aborted) setFound({ address, why })
    })
    return () => leaving.abort()
  }, [address])
  return found?.address === address ? found.why : null
}

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

/** The file at an address of the portal. Rejects as a call does. */
export async function fetchFile(address: string, signal: AbortSignal | null): Promise<Blob> {
  let response: Response
  try {
    response = await fetch(address, { credentials: 'same-origin', signal })
    if (response.ok) return await response.blob()
  } catch (cause) {
    throw signal?.aborted ? cause : new TransportFailure('', { cause })
  }
  const { success, data } = Envelope.safeParse(await response.json().catch(() => null))
  throw success ? new RefusedCall(data) : new TransportFailure('', { status: response.status })
}
