import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { beginTrial, type KeyTrial, readTrial, TRIAL_MINUTES } from '#contract/keyTrials.ts'
import type { UserKey } from '#contract/keys.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useNow } from '#web/foundation/times.ts'
import { refreshKeys } from './queries.ts'

/** Milliseconds between two looks. */
const POLL_MS = 1_500

/** `came`: the last request; it goes on waiting until one is answered, since what is wrong may be mended meanwhile. */
export type TrialState =
  | { phase: 'idle' }
  | { phase: 'waiting' }
  | { phase: 'over' }
  | { phase: 'came'; trial: KeyTrial; isWaiting: boolean }

/** Waits for a request by a key, as long as the page is open. */
export function useTrial(key: UserKey, secret: string | null) {
  const client = useQueryClient()
  const [since, setSince] = useState<number | null>(null)
  const now = useNow(1_000)
  const isOpen = since !== null && now.getTime() - since < TRIAL_MINUTES * 60_000
  const params = { id: String(key.id) }
  const { data: trial = null } = useQuery({
    queryKey: ['keys', 'trial', key.id, since],
    queryFn: async ({ signal }) => {
      const last = await call(readTrial, { params }, { signal })
      // The table and the list of tools say that it was used.
      if (last?.outcome.as === 'answered') await refreshKeys(client)
      return last
    },
    enabled: isOpen,
    refetchInterval: ({ state }) => (isAnswered(state.data) ? false : POLL_MS),
    meta: { quiet: true },
  })

  async function wait(): Promise<void> {
    try {
      await call(beginTrial, { params, body: { key: secret } })
      setSince(Date.now())
    } catch (error) {
      reportFailure(error)
    }
  }
  const stop = (): void => setSince(null)
  return { state: stateOf(), now, wait, stop }

  function stateOf(): TrialState {
    if (since === null) return { phase: 'idle' }
    if (trial !== null) return { phase: 'came', trial, isWaiting: isOpen && !isAnswered(trial) }
    return { phase: isOpen ? 'waiting' : 'over' }
  }
}

const isAnswered = (trial: KeyTrial | null | undefined): boolean => trial?.outcome.as === 'answered'
