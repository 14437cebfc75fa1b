import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { whenIdle } from '#web/foundation/idle.ts'

/** Milliseconds: nothing that the first screen shows waits for it. */
const WITHIN = 10_000

/** Shows what is new of one's limits whenever something has changed them: `changed_at` is when that was read. */
export function useUsageNotices(changed_at: number | undefined): void {
  const client = useQueryClient()
  useEffect(() => {
    if (changed_at === undefined) return undefined
    return whenIdle(() => {
      // Another build of the page may have no such file any more: then the next page shows it.
      import('./notices.ts').then(module => module.takeNotices(client)).catch(() => null)
    }, WITHIN)
  }, [client, changed_at])
}
