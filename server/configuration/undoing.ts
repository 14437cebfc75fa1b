import type { AuditValues } from '#server/audit/audit.ts'
import type { UndoHandler } from '#server/audit/log.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { NOT_STORED } from './auditing.ts'
import type { ConfigurationService } from './configuration.ts'

/** Stores the former values again, or removes what is stored where nothing was. */
export function undoingSettings(open: OpenDatabase, configuration: ConfigurationService): UndoHandler {
  return async ({ before: { [NOT_STORED]: notStored = [], ...before }, after }, by_user_id) => {
    const reset = notStored as string[] // written above
    const changes = nested(Object.fromEntries(Object.entries(before).filter(([path]) => !reset.includes(path))))
    const prepared = await open.transaction(async trx => {
      const found = await configuration.prepare(trx, { ...changes, _reset: reset }, nested(after))
      if (found.conflicts.length > 0)
        throw new Refusal('changedMeanwhile', {}, { detail: found.conflicts.map(({ path }) => conflictAt(path)) })
      await configuration.write(trx, found, by_user_id)
      return found
    })
    await configuration.settle(prepared)
  }
}

const conflictAt = (path: string[]) => ({ loc: ['body', ...path], msg: '', type: 'changed_meanwhile' })

/** "portal.name" as the settings of its section. */
function nested(values: AuditValues): Record<string, Record<string, unknown>> {
  const sections: Record<string, Record<string, unknown>> = {}
  for (const [path, value] of Object.entries(values)) {
    const at = path.indexOf('.')
    const section = (sections[path.slice(0, at)] ??= {})
    section[path.slice(at + 1)] = value
  }
  return sections
}
