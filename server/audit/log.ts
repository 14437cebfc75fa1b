import type { AuditAction, AuditQuery, AuditRow, listAudit } from '#contract/audit.ts'
import type { QueryOf, ResultOf } from '#contract/call.ts'
import { rowsAsked } from '#contract/paging.ts'
import { currentActor, runAs } from '#server/foundation/actor.ts'
import { type Clock, wallTimeOf } from '#server/foundation/clock.ts'
import { csvRow } from '#server/foundation/csv.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { csvAnswer } from '#server/foundation/http/download.ts'
import type { HttpAnswer } from '#server/foundation/http/route.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { type AuditValues, recordAudit } from './audit.ts'
import { type AuditFilter, type AuditRecord, auditStore } from './store.ts'
import { openAuditView } from './view.ts'

/** What is undone: the opposite has to leave `before` where it finds `after`, and refuses where it finds else. */
export type UndoneChange = { subject_id: string; before: AuditValues; after: AuditValues }

/**
 * Makes the opposite change, which writes a row of its own; refuses `changedMeanwhile` where the fields of `after` are
 * not so any more.
 */
export type UndoHandler = (change: UndoneChange, by_user_id: number) => Promise<void>

export type Dependencies = {
  open: OpenDatabase
  clock: Clock
  /** The time zone of the portal, and for how many days a row is kept. */
  settings(): { time_zone: string; kept_days: number }
  undo: Partial<Record<AuditAction, UndoHandler>>
  nicknamesOf(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** Titles of conversations that there are. */
  titlesOf(conversation_ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}

const DAY = 86_400_000
/** Rows that the export reads, and the job removes, at a time. */
const AT_ONCE = 1_000

export type Audit = ReturnType<typeof openAudit>

/** The audit as administrators read it, and what undoes a change. */
export function openAudit({ open, clock, settings, undo, nicknamesOf, titlesOf }: Dependencies) {
  const reader = () => auditStore(open.readOnly(), open.engine)

  const filterOf = (query: AuditQuery): AuditFilter => ({
    from: query.from === undefined ? 0 : Date.parse(query.from),
    to: query.to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(query.to),
    actor: query.actor === undefined ? null : Number(query.actor),
    kind: query.kind ?? null,
    action: query.action ?? null,
    subject: query.subject ?? null,
    subject_id: query.subject_id ?? null,
    words: query.words ?? '',
  })

  const view = openAuditView({ open, undo, nicknamesOf, titlesOf })

  async function* exported(filter: AuditFilter): AsyncGenerator<string> {
    const { time_zone } = settings()
    yield csvRow([`time (${time_zone})`, ...COLUMNS])
    for (let after = 0; ;) {
      const rows = await reader().after(filter, after, AT_ONCE)
      for (const row of await view.rows(rows))
        yield csvRow([{ plain: wallTimeOf(Date.parse(row.time), time_zone) }, ...cellsOf(row)])
      const last = rows.at(-1)
      if (last === undefined || rows.length < AT_ONCE) return
      after = last.id
    }
  }

  return {
    async list(query: QueryOf<typeof listAudit>): Promise<ResultOf<typeof listAudit>> {
      const filter = filterOf(query)
      const [rows, total, actors] = await Promise.all([
        reader().page(filter, rowsAsked(query)),
        reader().count(filter),
        reader().actors(filter),
      ])
      const names = await nicknamesOf(actors.flatMap(({ actor_id }) => actor_id ?? []))
      return {
        rows: await view.rows(rows),
        total,
        kept_days: settings().kept_days,
        actors: actors.flatMap(({ actor_id: id, actor_name }) =>
          id === null ? [] : [{ id, name: names.get(id) ?? actor_name }],
        ),
      }
    },

    export(query: AuditQuery): HttpAnswer {
      const today = wallTimeOf(clock.now(), settings().time_zone).slice(0, 10)
      return csvAnswer(`audit-${today}.csv`, exported(filterOf(query)))
    },

    async undo(id: number, by_user_id: number): Promise<AuditRow> {
      const row = await required(id)
      const { subject_id, before, after } = row
      const handler = row.undone_by === null && view.hasOpposite(row) ? undo[row.action as AuditAction] : undefined // as above
      if (handler === undefined || subject_id === null || before === null || after === null)
        throw new Refusal('notUndoable')
      await runAs({ ...currentActor(), undoes: id }, () => handler({ subject_id, before, after }, by_user_id))
      const [undone] = await view.rows([await required(id)])
      return undone as AuditRow // one for each
    },

    /** Removes what is older than rows are kept. Gives how many. */
    async removeOld(): Promise<number> {
      const before = clock.now() - settings().kept_days * DAY
      let rows = 0
      for (let some = AT_ONCE; some === AT_ONCE; rows += some)
        some = await auditStore(open.database, open.engine).removeBefore(before, AT_ONCE)
      if (rows > 0)
        await open.transaction(async trx => {
          await recordAudit(trx, { action: 'audit.removed', subject: { kind: 'audit', id: null }, after: { rows } })
        })
      return rows
    },
  }

  async function required(id: number): Promise<AuditRecord> {
    const row = await auditStore(open.database, open.engine).find(id)
    if (row === undefined) throw new Refusal('resourceNotFound')
    return row
  }
}

const COLUMNS = [
  'id',
  'by',
  'by_id',
  'by_kind',
  'address',
  'action',
  'of',
  'of_id',
  'of_kind',
  'before',
  'after',
  'undone_by',
  'undoes',
]

function cellsOf({ id, actor, address, action, subject, before, after, undone_by, undoes }: AuditRow) {
  const text = (values: AuditRow['before']) => (values === null ? null : JSON.stringify(values))
  const { name, id: of_id, kind } = subject
  return [
    ...[id, actor.name, actor.id, actor.kind, address, action, name, of_id, kind],
    ...[text(before), text(after), undone_by?.id ?? null, undoes],
  ]
}
