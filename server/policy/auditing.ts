import type { Updateable } from 'kysely'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { SOURCES, type Source } from '#contract/models.ts'
import { type AuditValues, changedFields, recordAudit } from '#server/audit/audit.ts'
import type { UndoHandler } from '#server/audit/log.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Tables, Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { balanceOf, type CountState, UNBOUNDED } from '#server/usage/counts.ts'
import { changeEntry, type LedgerEntry, ledgerStore } from '#server/usage/ledger.ts'
import { usageStore } from '#server/usage/store.ts'
import { type EffectiveSetting, readEffective } from './effectiveSetting.ts'
import { planStore } from './planStore.ts'
import { settingStore } from './store.ts'

const COLUMNS = [
  'allow_to_use',
  'max_conv_count',
  'total_ask_allowed',
  'rate_limits',
  'daily_available_time_slots',
  'available_models',
  'disable_uploading',
  'use_team',
  'allow_custom_openai_api',
] as const
/** Of a validity of one's own that does not end; null is inherited. */
const FOR_EVER = 'for ever'

type OwnLimits = {
  /** By source and field, null where it is inherited. `models.<code>` is a count of one model, `used` what is used. */
  values: Record<string, unknown>
  own_api: { url: string | null; key: string | null }
}

/** What somebody has of their own now, in a transaction. */
export async function ownLimits(trx: Transaction, user_id: number): Promise<OwnLimits> {
  const store = settingStore(trx)
  const [credits] = await store.credits([user_id])
  const values: OwnLimits['values'] = { credits: credits?.credits ?? 0 }
  const own_api: OwnLimits['own_api'] = { url: null, key: null }
  for (const row of await store.sources([user_id])) {
    for (const column of COLUMNS) values[`${row.source}.${column}`] = row[column]
    values[`${row.source}.valid_until`] = row.has_own_validity ? (iso(row.valid_until) ?? FOR_EVER) : null
    if (row.source === 'openai_api')
      Object.assign(own_api, { url: row.custom_openai_api_url, key: row.custom_openai_api_key })
  }
  for (const { source, model, ask_allowed } of await store.allowances([user_id]))
    values[`${source}.models.${model}`] = ask_allowed
  const listed = await planStore(trx).of(user_id)
  values['own_limits'] = listed?.own_limits ?? null
  values['own_values'] = listed?.own_values ?? null
  for (const { source, model, used } of await usageStore(trx).list([user_id])) values[`${source}.used.${model}`] = used
  return { values, own_api }
}

/** Writes down what differs since. What asks have used meanwhile is no change: only what begins anew is. */
export async function auditLimits(trx: Transaction, user_id: number, before: OwnLimits): Promise<void> {
  const after = await ownLimits(trx, user_id)
  const subject = { kind: 'user', id: user_id } as const
  for (const [name, used] of Object.entries(after.values))
    if (isUsed(name) && Number(used) > 0) after.values[name] = before.values[name] ?? null
  const changed = changedFields(before.values, after.values)
  if (changed !== null) await recordAudit(trx, { action: 'user.limits', subject, ...changed })
  if (before.own_api.url === after.own_api.url && before.own_api.key === after.own_api.key) return
  const shown = ({ url, key }: OwnLimits['own_api']) => ({ url, has_key: key !== null })
  await recordAudit(trx, {
    action: 'user.own_api',
    subject,
    before: shown(before.own_api),
    after: { ...shown(after.own_api), new_key: before.own_api.key !== after.own_api.key },
  })
}

/** Makes a change of what somebody has of their own, and writes it down. */
export async function withAudit(trx: Transaction, user_id: number, work: () => Promise<void>): Promise<void> {
  const before = await ownLimits(trx, user_id)
  await work()
  await auditLimits(trx, user_id, before)
}

const isUsed = (name: string): boolean => /^\w+\.used\./.test(name)

type Dependencies = { open: OpenDatabase; clock: Clock; configuration(): Configuration }

/** Makes somebody's limits again what they were, and inherited again what was. */
export function undoingLimits({ open, clock, configuration }: Dependencies): UndoHandler {
  const effective = async (trx: Transaction, user_id: number) => {
    const settings: EffectiveSetting[] = []
    for (const source of SOURCES) {
      const row = await settingStore(trx).sourceForUpdate(user_id, source, open.engine)
      if (row === undefined) throw new Refusal('userNotExist')
      settings.push(await readEffective(trx, configuration(), row))
    }
    return settings
  }

  return ({ subject_id, before, after }) =>
    open.transaction(async trx => {
      const user_id = Number(subject_id)
      const settings = await effective(trx, user_id)
      const present = await ownLimits(trx, user_id)
      requireAsAfter(present.values, after)
      await restore(trx, user_id, before, after)
      const restored = await effective(trx, user_id)
      await ledgerStore(trx).write(restored.flatMap((now, at) => entriesOf(settings[at] ?? now, now, clock.now())))
      await auditLimits(trx, user_id, present)
    })
}

function requireAsAfter(present: Readonly<Record<string, unknown>>, after: AuditValues): void {
  const seen = Object.keys(after).filter(name => !isUsed(name))
  const pick = (of: Readonly<Record<string, unknown>>) => Object.fromEntries(seen.map(name => [name, of[name] ?? null]))
  const differing = Object.entries(changedFields(pick(after), pick(present))?.after ?? {})
  if (differing.length === 0) return
  const detail = differing.map(([name, now]) => {
    return { loc: ['body', ...name.split('.')], msg: JSON.stringify(now), type: 'changed_meanwhile' }
  })
  throw new Refusal('changedMeanwhile', {}, { detail })
}

type Columns = Updateable<Tables['user_source_settings']>

async function restore(trx: Transaction, user_id: number, before: AuditValues, after: AuditValues): Promise<void> {
  for (const source of SOURCES) {
    const own = Object.entries(before).flatMap(([name, value]) =>
      name.startsWith(`${source}.`) ? [[name.slice(source.length + 1), value] as const] : [],
    )
    const columns = Object.fromEntries(own.flatMap(([field, value]) => columnOf(field, value))) as Columns // as audited
    if (Object.keys(columns).length > 0)
      await trx
        .updateTable('user_source_settings')
        .set(columns)
        .where('user_id', '=', user_id)
        .where('source', '=', source)
        .execute()
    for (const [field, value] of own) {
      const [part, model = ''] = splitOnce(field)
      if (part === 'models') await restoreAllowance(trx, { user_id, source, model }, value)
      const again = Number(value) - Number(after[`${source}.${field}`] ?? 0)
      if (part === 'used' && again > 0) await usageStore(trx).putBack({ user_id, source, model }, again)
    }
  }
  const listed = Object.entries(before).filter(([name]) => name === 'own_limits' || name === 'own_values')
  if (listed.length > 0) await planStore(trx).setOf(user_id, Object.fromEntries(listed)) // as audited
  if ('credits' in before) await settingStore(trx).setCredits(user_id, Number(before['credits']))
}

function columnOf(field: string, value: unknown): [string, unknown][] {
  if (field === 'valid_until')
    return [
      ['has_own_validity', value !== null],
      ['valid_until', typeof value === 'string' && value !== FOR_EVER ? Date.parse(value) : null],
    ]
  return COLUMNS.some(column => column === field) ? [[field, value]] : []
}

type Counted = { user_id: number; source: Source; model: string }

async function restoreAllowance(trx: Transaction, counted: Counted, value: unknown): Promise<void> {
  if (typeof value === 'number') await settingStore(trx).setAllowance({ ...counted, ask_allowed: value })
  else
    await trx
      .deleteFrom('user_model_allowances')
      .where('user_id', '=', counted.user_id)
      .where('source', '=', counted.source)
      .where('model', '=', counted.model)
      .execute()
}

/** "models.gpt-4.1" as "models" and "gpt-4.1". */
function splitOnce(field: string): [string, string?] {
  const at = field.indexOf('.')
  return at < 0 ? [field] : [field.slice(0, at), field.slice(at + 1)]
}

/** The ledger has each change of what remains. */
function entriesOf(before: EffectiveSetting, after: EffectiveSetting, create_time: number): LedgerEntry[] {
  const { user_id, source } = after
  const models = new Set([...before.models.keys(), ...after.models.keys()])
  const counts: [string | null, CountState, CountState][] = [
    [null, before.total, after.total],
    ...[...models].map((model): [string, CountState, CountState] => [
      model,
      before.models.get(model) ?? UNBOUNDED,
      after.models.get(model) ?? UNBOUNDED,
    ]),
  ]
  return counts.flatMap(([model, was, is]) => {
    const change = balanceOf(is) - balanceOf(was)
    return change === 0 ? [] : [changeEntry({ user_id, source, model }, { change, reason: 'adjusted', create_time })]
  })
}

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())
