import type { AuditRow, AuditUndo } from '#contract/audit.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { AFFECTED, type AuditValues } from './audit.ts'
import { type AuditRecord, auditStore } from './store.ts'

type Dependencies = {
  open: OpenDatabase
  /** What has an opposite, by its action. */
  undo: object
  nicknamesOf(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** Titles of conversations that there are. */
  titlesOf(conversation_ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** Rows as administrators see them: with names, titles, and whether they can be undone. */
export function openAuditView({ open, undo, nicknamesOf, titlesOf }: Dependencies) {
  const reader = () => auditStore(open.readOnly(), open.engine)

  const hasOpposite = ({ action, subject_id, before, after }: AuditRecord): boolean =>
    Object.hasOwn(undo, action) &&
    subject_id !== null &&
    before !== null &&
    after !== null &&
    isWhole(before) &&
    isWhole(after)

  /** Which of these the same was changed of later. */
  async function changedSince(rows: readonly AuditRecord[]): Promise<Set<number>> {
    const asked = rows.filter(row => hasOpposite(row) && row.undone_by === null)
    if (asked.length === 0) return new Set()
    const later = await reader().laterThan(
      Math.min(...asked.map(({ id }) => id)),
      [...new Set(asked.flatMap(({ subject_id }) => subject_id ?? []))],
      [...new Set(asked.map(({ action }) => action))],
    )
    const isLater = (row: AuditRecord) =>
      later.some(
        other =>
          other.id > row.id &&
          other.action === row.action &&
          other.subject_kind === row.subject_kind &&
          other.subject_id === row.subject_id &&
          Object.keys(other.after ?? {}).some(field => field !== AFFECTED && Object.hasOwn(row.after ?? {}, field)),
      )
    return new Set(asked.filter(isLater).map(({ id }) => id))
  }

  async function viewOf(rows: readonly AuditRecord[]): Promise<AuditRow[]> {
    const undone = rows.flatMap(({ undone_by }) => undone_by ?? [])
    const undoings = undone.length === 0 ? [] : await reader().among(undone)
    const isConversation = ({ subject_kind }: AuditRecord) => subject_kind === 'conversation'
    const [names, titles, changed] = await Promise.all([
      nicknamesOf([
        ...new Set([
          ...[...rows, ...undoings].flatMap(({ actor_id }) => actor_id ?? []),
          ...rows.filter(isNamelessUser).map(({ subject_id }) => Number(subject_id)),
          ...rows.flatMap(({ after }) => Object.values(affectedPeople(after)).flat()),
          ...rows.flatMap(({ before, after }) => [...ownerIn(before), ...ownerIn(after)]),
        ]),
      ]),
      titlesOf([...new Set(rows.filter(isConversation).flatMap(({ subject_id }) => subject_id ?? []))]),
      changedSince(rows),
    ])
    const undoingOf = new Map(undoings.map(row => [row.id, row]))
    const nameOf = (row: Pick<AuditRecord, 'actor_id' | 'actor_name'>): string | null =>
      row.actor_name ?? names.get(row.actor_id ?? 0) ?? null
    const undoOf = (row: AuditRecord): AuditUndo => {
      if (row.undone_by !== null) return 'undone'
      if (!hasOpposite(row)) return 'never'
      return changed.has(row.id) ? 'changed' : 'possible'
    }
    return rows.map(row => {
      const { id, time, address, user_agent, request_id, before, after, undoes } = row
      const undoing = undoingOf.get(row.undone_by ?? 0)
      const title = isConversation(row) ? (titles.get(row.subject_id ?? '') ?? null) : nameOfSubject(row, names)
      return {
        id,
        time: iso(time),
        actor: { kind: row.actor_kind, id: row.actor_id, name: nameOf(row) },
        ...{ address, user_agent, request_id, undoes },
        before: withOwner(before, names),
        after: withOwner(withNames(after, names), names),
        action: row.action,
        subject: { kind: row.subject_kind, id: row.subject_id, name: title },
        undo: undoOf(row),
        undone_by: undoing === undefined ? null : { id: undoing.id, time: iso(undoing.time), name: nameOf(undoing) },
      } as AuditRow // only recordAudit writes a row
    })
  }

  return { rows: viewOf, hasOpposite }
}

/** Ids by what a change is to them. */
function affectedPeople(after: AuditValues | null): Record<string, number[]> {
  const affected = after?.[AFFECTED]
  if (typeof affected !== 'object' || affected === null || !('people' in affected)) return {}
  return affected.people as Record<string, number[]> // only a change of a plan writes it
}

/** The id of whose a conversation was or is. */
const ownerIn = (values: AuditValues | null): number[] => {
  const owner = values?.['owner']
  return typeof owner === 'number' ? [owner] : []
}

/** With the name beside the id; of nobody, and of who is gone, none. */
function withOwner(values: AuditValues | null, names: ReadonlyMap<number, string>): AuditValues | null {
  if (values === null || !('owner' in values)) return values
  const [id] = ownerIn(values)
  return { ...values, owner_name: id === undefined ? null : (names.get(id) ?? null) }
}

/** Those who are gone are left out. */
function withNames(after: AuditValues | null, names: ReadonlyMap<number, string>): AuditValues | null {
  const affected = after?.[AFFECTED]
  const kinds = Object.entries(affectedPeople(after))
  if (kinds.length === 0 || typeof affected !== 'object' || affected === null) return after
  const named = kinds.map(([kind, ids]) => [kind, ids.flatMap(id => names.get(id) ?? [])])
  const counts = Object.entries(affected).filter(([name]) => name !== 'people')
  return { ...after, [AFFECTED]: { ...Object.fromEntries(counts), names: Object.fromEntries(named) } }
}

const isNamelessUser = ({ subject_kind, subject_id, subject_name }: AuditRecord): boolean =>
  subject_kind === 'user' && subject_id !== null && subject_name === null

const nameOfSubject = (row: AuditRecord, names: ReadonlyMap<number, string>): string | null =>
  isNamelessUser(row) ? (names.get(Number(row.subject_id)) ?? null) : row.subject_name

const isWhole = (values: AuditValues): boolean => !('too_long' in values) && !('masked' in values)

const iso = (time: number): string => new Date(time).toISOString()
