import type { ValueOrigin } from '#contract/plans.ts'
import type { Changes } from '#web/admin/form/useChanges.ts'

/** What a value or limit is where there is none of one's own, and whose it is there. */
export type Inherited = { value: unknown; origin: ValueOrigin }

/** Values that are one's own, or inherited: those of a plan, or of a person. Null is inherited. */
export type ValueForm = {
  changes: Changes<Readonly<Record<string, unknown>>>
  inherited(name: string): Inherited | null
  /** What is stored of a field. */
  stored(name: string): unknown
  /** The names of the limits that hold, or are one's own. */
  limits: readonly string[]
  /** How a value of one's own is called. */
  own(name: string): string
}
