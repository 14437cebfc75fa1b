import { onTestFinished } from 'vitest'
import type { NewUpstream, UpstreamRead } from '#contract/upstreams.ts'
import { startSimulator, type Simulator } from '#simulator/simulator.ts'
import { startPortal, type Portal } from './portal.ts'

type Two = Portal & {
  /** The simulator of the first upstream, and that of the further one. */
  simulators: readonly [Simulator, Simulator]
  /** Their ids. */
  upstreams: readonly [number, number]
}

/** A portal with two upstreams, each of them a simulator that answers for the same models under its own key. */
export async function startWithTwo(
  options: Parameters<typeof startPortal>[0] = {},
  further: Partial<NewUpstream> = {},
): Promise<Two> {
  const second = await startSimulator({ tokens_per_second: 0 })
  onTestFinished(() => second.close())
  const portal = await startPortal(options)
  const { id } = await portal.admin.result<UpstreamRead>('POST', '/system/upstreams', {
    source: 'openai_api',
    label: 'Second',
    base_url: second.url,
    secret: 'key-of-the-second',
    models: [
      { code: 'gpt_4', name: 'gpt-4', label: null, context_length: null },
      { code: 'gpt_3_5', name: 'gpt-3.5-turbo', label: null, context_length: null },
    ],
    ...further,
  })
  const first = portal.app.services.upstreams.ofSettings('openai_api').id
  return { ...portal, simulators: [portal.simulator, second], upstreams: [first, id] }
}
