import type { ConfigurationRead } from '#contract/configuration/configuration.ts'
import { savedValue } from '../configuration/settings/form.ts'

/** The path of the setting. */
export const PORTAL_INSTRUCTIONS = 'portal.instructions'

export function portalInstructions(base: ConfigurationRead): string | null {
  const value = savedValue({ base }, { path: PORTAL_INSTRUCTIONS, key: 'instructions' })
  return typeof value === 'string' && value !== '' ? value : null
}
