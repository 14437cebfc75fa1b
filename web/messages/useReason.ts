import { useEffect, useState } from 'react'
import { reasonOf } from '#web/foundation/refusedFile.ts'

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
