import { useState } from 'react'
import type { Source } from '#contract/models.ts'
import { testUpstreamDraft, type UpstreamDraftTest, type UpstreamRead, type UpstreamTest } from '#contract/upstreams.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import type { UpstreamActions } from '../useUpstreamActions.ts'
import { type Fields, mistakesIn, type PickedModel, REACHED_BY, sentOf } from './fields.ts'

/** `offered`: unless an administrator picks. */
export type ListedModel = PickedModel & { offered: boolean }

export type Trial = {
  /** What came of the last test of what is entered now; null where it was not tested. */
  outcome: UpstreamTest | null
  time: string | null
  pending: boolean
  /** Whether something is entered that no test can begin with. */
  isHindered: boolean
  run(): Promise<void>
  /** The models that it lists, as far as is known. */
  listed: readonly ListedModel[]
}

type Tried = { what: string; outcome: UpstreamDraftTest; time: string }

/** Tests of what is entered: the stored one while nothing of how it is reached was changed, a draft otherwise. */
export function useTrial(
  source: Source,
  values: Fields,
  stored: { upstream: UpstreamRead; test: UpstreamActions['test']; isReachedOtherwise: boolean } | null,
): Trial {
  const [tried, setTried] = useState<Tried | null>(null)
  const [pending, setPending] = useState(false)
  const upstream = stored?.upstream ?? null
  const isDraft = stored === null || stored.isReachedOtherwise
  const what = JSON.stringify([source, ...REACHED_BY.map(name => values[name])])
  const current = tried?.what === what ? tried : null

  async function tryDraft(): Promise<void> {
    const { base_url, secret, key_header, query, proxy } = sentOf(values)
    const body = { source, base_url, secret, key_header, query, proxy, ...(upstream !== null && { id: upstream.id }) }
    setTried({ what, outcome: await call(testUpstreamDraft, { body }), time: new Date().toISOString() })
  }

  async function run(): Promise<void> {
    setPending(true)
    try {
      await (isDraft ? tryDraft() : stored.test(stored.upstream))
    } catch (error) {
      reportFailure(error)
    } finally {
      setPending(false)
    }
  }

  const mistakes = mistakesIn(values, true)
  return {
    outcome: isDraft ? (current?.outcome ?? null) : (upstream?.last_test ?? null),
    time: isDraft ? (current?.time ?? null) : (upstream?.last_tested ?? null),
    pending,
    isHindered: REACHED_BY.some(name => mistakes.includes(name)),
    run,
    listed: isDraft && current !== null ? current.outcome.models.map(asListed) : (upstream?.models ?? []),
  }
}

const asListed = (model: UpstreamDraftTest['models'][number]): ListedModel => ({ ...model, label: null, offered: true })
