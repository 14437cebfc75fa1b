import type { AuditRow } from '#contract/audit.ts'
import { SOURCES } from '#contract/models.ts'
import { MILLIONTHS } from '#contract/plans.ts'
import { limitField, type LimitIdentity } from '#web/admin/plans/values/plans.ts'

type Values = NonNullable<AuditRow['before']>
/** `kind`: of a plan's values or limits, which have words of their own. */
export type AuditChange = { name: string; kind: 'field' | 'value' | 'limit'; before: unknown; after: unknown }

/** Said about the others, and no field itself. */
const ABOUT = ['not_stored', 'affected']
/** By what stands beside it: a name is shown in place of the number. */
const NUMBERED: Readonly<Record<string, string>> = { plan_id: 'plan', owner: 'owner_name' }

/** What differs, each limit and each value of a plan by itself. */
export function auditChanges({ before, after }: Pick<AuditRow, 'before' | 'after'>): AuditChange[] {
  const [was, is] = [entriesOf(before), entriesOf(after)]
  return [...new Set([...was.keys(), ...is.keys()])].flatMap(key => {
    const { name, kind } = was.get(key) ?? is.get(key) ?? { name: key, kind: 'field' }
    const change = { name, kind, before: was.get(key)?.value ?? null, after: is.get(key)?.value ?? null }
    const isSame = kind !== 'field' && JSON.stringify(change.before) === JSON.stringify(change.after)
    return isSame ? [] : [change]
  })
}

type Entry = { name: string; kind: AuditChange['kind']; value: unknown }

function entriesOf(values: Values | null): Map<string, Entry> {
  const entries = Object.entries(values ?? {}).flatMap(([name, value]): Entry[] => {
    if (ABOUT.includes(name) || Object.hasOwn(values ?? {}, NUMBERED[name] ?? '')) return []
    if (/^(own_)?limits$/.test(name) && Array.isArray(value)) return value.map(limitEntry)
    if (/^(own_)?values$/.test(name) && isObject(value)) return valueEntries(value)
    return [{ name, kind: 'field', value }]
  })
  return new Map(entries.map(entry => [`${entry.kind} ${entry.name}`, entry]))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function limitEntry(limit: unknown): Entry {
  const { amount, ...identity } = limit as LimitIdentity & { amount: number } // as the server stores limits
  const value = identity.unit === 'money' && amount > 0 ? amount / MILLIONTHS : amount
  return { name: limitField(identity), kind: 'limit', value }
}

function valueEntries(values: Record<string, unknown>): Entry[] {
  const { spared: _spared, ...own } = values
  return Object.entries(own).flatMap(([name, value]): Entry[] => {
    const ofSource = SOURCES.some(source => source === name) && isObject(value)
    if (!ofSource) return [{ name, kind: 'value', value }]
    return Object.entries(value).map(([field, each]) => ({ name: `${name}.${field}`, kind: 'value', value: each }))
  })
}

export type AffectedPeople = {
  blocked: number
  gained: number
  changed: number
  untouched: number
  /** Of the first of them who are still here. */
  names: Readonly<Record<string, readonly string[] | undefined>>
}

/** How many people a change of a plan reached, as the server counted them with it; null where it did not. */
export function affectedBy({ after }: Pick<AuditRow, 'after'>): AffectedPeople | null {
  const affected = after?.['affected']
  if (!isObject(affected)) return null
  const count = (name: string): number => Number(affected[name] ?? 0)
  const names = isObject(affected['names']) ? (affected['names'] as AffectedPeople['names']) : {} // as the server names them
  return {
    ...{ blocked: count('blocked'), gained: count('gained'), changed: count('changed') },
    ...{ untouched: count('untouched'), names },
  }
}
