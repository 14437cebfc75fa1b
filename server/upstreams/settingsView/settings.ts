import type { Updateable } from 'kysely'
import type { SavedSettings } from '#contract/configuration/credentials.ts'
import type { Source } from '#contract/models.ts'
import type { ConfigurationService } from '#server/configuration/configuration.ts'
import { conflictRefusal } from '#server/configuration/conflictRefusal.ts'
import type { DelegatedSettings, NamesOf } from '#server/configuration/settings.ts'
import type { Database, Tables, OpenDatabase } from '#server/foundation/database/open.ts'
import { COLUMNS, rowOfSettings } from '../settingsView.ts'
import { type UpstreamRow, upstreamStore } from '../store.ts'
import type { CredentialsService } from './credentials.ts'

type Dependencies = { open: OpenDatabase; configuration: ConfigurationService; credentials: CredentialsService }

/** Stores settings and credentials in one transaction: when one of them is refused, nothing is stored. */
export function savingSettings({ open, configuration, credentials }: Dependencies) {
  return async (
    { credentials: given = {}, expected, ...changes }: SavedSettings,
    by_user_id: number,
    namesOf: NamesOf,
  ): Promise<void> => {
    const { settings, secrets, conflicts } = await open.transaction(async trx => {
      const settings = await configuration.prepare(trx, changes, expected)
      const secrets = await credentials.prepare(trx, given, {
        expected: expected?.credentials ?? {},
        within: ['credentials'],
      })
      const conflicts = [...settings.conflicts, ...secrets.conflicts]
      if (conflicts.length === 0) {
        await configuration.write(trx, settings, by_user_id)
        await credentials.write(trx, secrets, by_user_id, settings.after)
      }
      return { settings, secrets, conflicts }
    })
    await configuration.settle(settings)
    await credentials.settle(secrets)
    if (conflicts.length > 0) throw await conflictRefusal(conflicts, namesOf)
  }
}

const SOURCES = ['openai_web', 'openai_api'] as const satisfies Source[]

/** The columns of a source by the paths of their settings. */
const columnsOf = (source: Source): [path: string, column: keyof UpstreamRow][] =>
  Object.entries(COLUMNS[source]).map(([key, column]) => [`${source}.${key}`, column])

const PATHS: ReadonlySet<string> = new Set(SOURCES.flatMap(source => columnsOf(source).map(([path]) => path)))

/**
 * The settings that are values of upstreams. A column holds one only where it says who set it: null is a value, too.
 */
export const settingsOfUpstreams: DelegatedSettings = {
  isKept: path => PATHS.has(path),

  async listAll(database) {
    const rows = await upstreamStore(database).listShared()
    return SOURCES.flatMap(source => {
      const row = rowOfSettings(rows, source)
      return columnsOf(source).flatMap(([setting_path, column]) => {
        const set = row.values_set?.[column]
        return set === undefined
          ? []
          : [{ setting_path, setting_value: row[column], update_time: set.time, updated_by: set.by }]
      })
    })
  },

  async keep(trx, settings, by, time) {
    const values = new Map(settings.map(({ path, value }) => [path, value]))
    await change(trx, ([path]) => (values.has(path) ? { value: values.get(path), set: { by, time } } : null))
  },

  async remove(trx, paths) {
    await change(trx, ([path]) => (paths.includes(path) ? { value: null, set: undefined } : null))
  },
}

type Changed = { value: unknown; set: { by: number | null; time: number } | undefined }

/** `changed`: what a column becomes; null where it stays. */
async function change(trx: Database, changed: (at: [path: string, column: string]) => Changed | null): Promise<void> {
  const rows = await upstreamStore(trx).listShared()
  for (const source of SOURCES) {
    const { id, values_set } = rowOfSettings(rows, source)
    const found = columnsOf(source).flatMap(([path, column]) => {
      const becomes = changed([path, column])
      return becomes === null ? [] : [{ column, ...becomes }]
    })
    if (found.length === 0) continue
    // Each value has passed the schema of its setting, which is that of its column.
    const values = Object.fromEntries(found.map(({ column, value }) => [column, value])) as Updateable<
      Tables['upstreams']
    >
    const set = { ...values_set, ...Object.fromEntries(found.map(each => [each.column, each.set])) }
    await upstreamStore(trx).change(id, { ...values, values_set: set })
  }
}
