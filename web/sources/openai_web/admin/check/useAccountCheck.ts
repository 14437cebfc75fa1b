import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readConfiguration, updateConfiguration } from '#contract/configuration/configuration.ts'
import { changeUpstream, checkUpstreamAccounts, type UpstreamRead } from '#contract/upstreams.ts'
import { call, RefusedCall } from '#web/foundation/call.ts'
import { failureText, reportFailure } from '#web/foundation/failures.ts'
import { keepUpstream, knownUpstream, refreshUpstreams } from '../../../../admin/upstreams/state/queries.ts'
import { onlyTeam, type Plan, plansOf } from './plans.ts'

type Checked = { plans: readonly Plan[] } | { failure: string }

/** Reads the accounts of a web account's token. When there is only one usable team and none is set, it is set. */
export function useAccountCheck(upstream: UpstreamRead) {
  const client = useQueryClient()
  const [pending, setPending] = useState(false)
  const [checked, setChecked] = useState<Checked | null>(null)
  const current = () => knownUpstream(upstream.id) ?? upstream

  /** Where the team is locked it is a setting. */
  async function setTeam(team_account_id: string | null): Promise<void> {
    if (upstream.locked.includes('team_account_id')) {
      const { _version } = await call(readConfiguration, {})
      const body = { openai_web: { team_account_id }, _version }
      await call(updateConfiguration, { body })
      void client.invalidateQueries({ queryKey: ['configuration'] })
    } else {
      const params = { id: String(upstream.id) }
      const { version } = current()
      keepUpstream(await call(changeUpstream, { params, body: { team_account_id, version } }))
    }
    await refreshUpstreams()
  }

  const work = async (doWork: () => Promise<void>): Promise<void> => {
    setPending(true)
    try {
      await doWork()
    } catch (error) {
      reportFailure(error)
    } finally {
      setPending(false)
    }
  }

  return {
    pending,
    checked,
    setTeam: (id: string | null) => void work(() => setTeam(id)),
    check: () =>
      void work(async () => {
        try {
          const found = await call(checkUpstreamAccounts, { params: { id: String(upstream.id) } })
          const plans = plansOf(found, new Date())
          setChecked({ plans })
          const team = onlyTeam(plans)
          if (team !== null && current().team_account_id === null) await setTeam(team.id)
        } catch (error) {
          if (!(error instanceof RefusedCall)) throw error
          setChecked({ failure: failureText(error) })
        }
      }),
  }
}
