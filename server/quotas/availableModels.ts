import type { Configuration } from '#contract/configuration.ts'
import type { Source } from '#contract/models.ts'
import { enabledModels } from '#server/configuration/models.ts'

/** Stored in place of a list of models: every enabled one, also those enabled later. */
export const EVERY_MODEL = '*'

/** The stored list as clients see it: old ones know lists only. */
export function explicitModels(stored: readonly string[], configuration: Configuration, source: Source): string[] {
  return stored.includes(EVERY_MODEL) ? enabledModels(configuration, source).map(({ code }) => code) : [...stored]
}
