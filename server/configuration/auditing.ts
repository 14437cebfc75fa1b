import type { Configuration } from '#contract/configuration/configuration.ts'
import { changedFields, recordAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { settingAt, valueOf } from './settings.ts'

/** Of `before`: the settings that had no value stored, and have none again when the change is undone. */
export const NOT_STORED = 'not_stored'

type Change = {
  kept: readonly { path: string }[]
  removed: readonly string[]
  stored: ReadonlySet<string>
  before: Configuration
  after: Configuration
}

/** One row for each section. Of a secret only that it was set. */
export async function auditSettings(trx: Transaction, { kept, removed, stored, before, after }: Change): Promise<void> {
  const paths = [...kept.map(({ path }) => path), ...removed]
  for (const [section, own] of Map.groupBy(paths, path => path.split('.')[0] ?? '')) {
    const secrets = own.filter(path => settingAt(path)?.secret === true)
    for (const path of secrets)
      await recordAudit(trx, { action: 'secret.changed', subject: { kind: 'secret', id: path, name: path } })
    const shown = own.filter(path => !secrets.includes(path))
    const changed = changedFields(valuesAt(before, shown), valuesAt(after, shown))
    if (changed === null) continue
    const notStored = Object.keys(changed.before).filter(path => !stored.has(path))
    await recordAudit(trx, {
      action: 'setting.changed',
      subject: { kind: 'setting', id: section, name: section },
      before: { ...changed.before, ...(notStored.length > 0 && { [NOT_STORED]: notStored }) },
      after: changed.after,
    })
  }
}

function valuesAt(configuration: Configuration, paths: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    paths.flatMap(path => {
      const setting = settingAt(path)
      return setting === undefined ? [] : [[path, valueOf(configuration, setting)]]
    }),
  )
}
