import type { Configuration } from '#contract/configuration/configuration.ts'
import type { ChangedValue } from '#contract/planPeople.ts'

/** How the configuration would change, with its plans, by a change of one of them. */
export type ConfigurationChange = { plan_id: number; before: Configuration; after: Configuration; now: number }

/** What that is to a person, of one value. `value`: what it was. */
export type ValueEffect = ChangedValue & { value: unknown; effect: 'blocks' | 'gains' | 'loses' | 'differs' }
