import type { ConfigurationRead } from '#contract/configuration.ts'
import { DECLARED_SETTINGS } from '#contract/configuration/declared.ts'

/** The values in force as a file that can serve as config.json; secrets are left out. */
export function exportedSettings(read: ConfigurationRead): Blob {
  const sections: Record<string, Record<string, unknown>> = {}
  for (const { section, key, secret } of DECLARED_SETTINGS) {
    const values = read[section]
    if (secret === true || typeof values !== 'object' || values === null) continue
    ;(sections[section] ??= {})[key] = (values as Record<string, unknown>)[key] // a section is an object
  }
  return new Blob([`${JSON.stringify(sections, null, 2)}\n`], { type: 'application/json' })
}

export function exportName(now: Date): string {
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(part => String(part).padStart(2, '0'))
  return `chat-commons-settings-${date.join('-')}.json`
}
