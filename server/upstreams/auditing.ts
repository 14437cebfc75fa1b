import { changedFields, recordAudit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import type { Engine } from '#server/foundation/database/schema/definition.ts'
import type { ReportedRow } from './windows/pools.ts'
import { sharingView } from './windows/sharing.ts'
import { type ModelRow, modelStore, reportedWindowStore, type UpstreamRow, upstreamStore } from './store.ts'

type Stored = { row: UpstreamRow; models: readonly ModelRow[]; reports: readonly ReportedRow[] }

const subjectOf = ({ id, label, source }: UpstreamRow) =>
  ({ kind: 'upstream', id, name: label === '' ? source : label }) as const

/** What an administrator sets of an upstream. Never its secret; of a query only whether there is one. */
function auditedFields({ row, models, reports }: Stored) {
  const { label, base_url, key_header, query, proxy, connect_timeout, first_token_timeout, read_timeout } = row
  const { ask_timeout, team_account_id, concurrency, shared_limit, shared_limit_window_seconds, enabled } = row
  return {
    ...{ label, base_url, key_header, proxy, connect_timeout, first_token_timeout, read_timeout, ask_timeout },
    ...{ team_account_id, concurrency, shared_limit, shared_limit_window_seconds, enabled },
    ...sharingView(row),
    believed: Object.fromEntries(reports.map(({ window_key, capacity }) => [window_key, capacity])),
    has_query: query !== null,
    is_paused: row.paused_since !== null,
    models: row.models_picked ? models.filter(({ offered }) => offered).map(({ code }) => code) : null,
  }
}

async function read(trx: Transaction, id: number, engine: Engine): Promise<Stored | null> {
  const row = await upstreamStore(trx).findForUpdate(id, engine)
  return row === undefined
    ? null
    : {
        row,
        models: await modelStore(trx).listOf(id),
        reports: await reportedWindowStore(trx).listOf(id),
      }
}

/** Makes a change and writes down what differs after it. */
export async function auditedChange(
  trx: Transaction,
  { id, engine }: { id: number; engine: Engine },
  work: () => Promise<void>,
): Promise<void> {
  const before = await read(trx, id, engine)
  await work()
  const after = await read(trx, id, engine)
  if (before === null) return
  if (after === null) {
    await recordAudit(trx, { action: 'upstream.deleted', subject: subjectOf(before.row) })
    return
  }
  const subject = subjectOf(after.row)
  const changed = changedFields(auditedFields(before), auditedFields(after))
  if (changed !== null) await recordAudit(trx, { action: 'upstream.changed', subject, ...changed })
  if (before.row.sealed_secret !== after.row.sealed_secret)
    await recordAudit(trx, { action: 'secret.changed', subject, after: { set: after.row.sealed_secret !== null } })
}

export async function auditNewUpstream(trx: Transaction, id: number, engine: Engine): Promise<void> {
  const stored = await read(trx, id, engine)
  if (stored === null) return
  const { label, base_url, enabled } = auditedFields(stored)
  const after = { source: stored.row.source, label, base_url, enabled, has_secret: stored.row.sealed_secret !== null }
  await recordAudit(trx, { action: 'upstream.created', subject: subjectOf(stored.row), after })
}
