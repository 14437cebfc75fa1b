import { useState } from 'react'
import type { Source } from '#contract/models.ts'
import { testUpstreamDraft, type UpstreamDraftTest, type UpstreamRead, type UpstreamTest } from '#contract/upstreams.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import type { UpstreamActions } from '../state/useUpstreamActions.ts'
import { type Fields, mistakesIn, type PickedModel, CONNECTION_FIELDS, sentOf } from './fields.ts'

/** `offered`: whether people may choose it as long as no administrator picks the models. */
/** With what it said of its context when it refused a question. */
export type ListedModel = PickedModel & { offered: boolean; learned_context_length: number | null }

export type ConnectionTest = {
  /** The result of the last test of the values in the form; null when these were not tested. */
  outcome: UpstreamTest | null
  time: string | null
  pending: boolean
  /** False while a connection field has a mistake. */
  canRun: boolean
  run(): Promise<void>
  /** The models that the upstream listed last. */
  listed: readonly ListedModel[]
}

type TestedDraft = { what: string; outcome: UpstreamDraftTest; time: string }

/**
 * Tests the connection: the stored upstream while no connection field is changed, else a draft of the form's values.
 */
export function useConnectionTest(
  source: Source,
  values: Fields,
  stored: { upstream: UpstreamRead; test: UpstreamActions['test']; isConnectionChanged: boolean } | null,
): ConnectionTest {
  const [tested, setTested] = useState<TestedDraft | null>(null)
  const [pending, setPending] = useState(false)
  const upstream = stored?.upstream ?? null
  const isDraft = stored === null || stored.isConnectionChanged
  const what = JSON.stringify([source, ...CONNECTION_FIELDS.map(name => values[name])])
  const current = tested?.what === what ? tested : null

  async function tryDraft(): Promise<void> {
    const { base_url, secret, key_header, query, proxy } = sentOf(values)
    const body = { source, base_url, secret, key_header, query, proxy, ...(upstream !== null && { id: upstream.id }) }
    setTested({ what, outcome: await call(testUpstreamDraft, { body }), time: new Date().toISOString() })
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

  const mistakes = mistakesIn(values, true, source)
  return {
    outcome: isDraft ? (current?.outcome ?? null) : (upstream?.last_test ?? null),
    time: isDraft ? (current?.time ?? null) : (upstream?.last_tested ?? null),
    pending,
    canRun: !CONNECTION_FIELDS.some(name => mistakes.includes(name)),
    run,
    listed: isDraft && current !== null ? current.outcome.models.map(asListed) : (upstream?.models ?? []),
  }
}

const asListed = (model: UpstreamDraftTest['models'][number]): ListedModel => ({
  ...model,
  label: null,
  offered: true,
  learned_context_length: null,
})
