import { isDeepStrictEqual } from 'node:util'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { type Bus, inOrder, keepUpToDate } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { readPlans } from './planStore.ts'
import { type StoredPlans, withPlans } from './planTree.ts'

type Dependencies = { open: OpenDatabase; bus: Bus; configuration(): Configuration }

const TOPIC = 'plans'

export type PlanSnapshot = Awaited<ReturnType<typeof openPlanSnapshot>>

/**
 * The plans in memory. They follow what other processes store; an ask is admitted by the latest ones whatever this
 * process has heard of yet (admission).
 */
export async function openPlanSnapshot({ open, bus, configuration }: Dependencies) {
  let stored: StoredPlans = await readPlans(open.database)
  let planned: { from: readonly unknown[]; configuration: Configuration } | null = null

  const { reload, idle } = inOrder(async () => {
    const latest = await readPlans(open.database)
    if (!isDeepStrictEqual(latest, stored)) stored = latest
  })
  const leave = keepUpToDate({ open, bus, topic: TOPIC, what: 'the plans', reload, byCommands: true })

  return {
    /** The configuration with the plans; the same object until one of them changes. */
    current(): Configuration {
      const given = configuration()
      if (planned === null || planned.from[0] !== given || planned.from[1] !== stored)
        planned = { from: [given, stored], configuration: withPlans(given, stored) }
      return planned.configuration
    },
    /** After a change that is committed. */
    async changed(): Promise<void> {
      await reload()
      bus.publish(TOPIC)
    },
    async close(): Promise<void> {
      leave()
      await idle()
    },
  }
}
