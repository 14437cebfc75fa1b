import type { ConfigurationRead } from '#contract/configuration/configuration.ts'
import { DECLARED_SETTINGS } from '#contract/configuration/declared.ts'
import { calendarDay } from '#web/admin/shell/times.ts'

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
  return `chat-commons-settings-${calendarDay(now)}.json`
}
