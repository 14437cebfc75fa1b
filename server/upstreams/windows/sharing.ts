import type { Source } from '#contract/models.ts'
import type { AccountWindow, Keep, MemberNames, Sharing } from '#contract/shares.ts'
import { invalid } from '#server/foundation/refusal.ts'
import type { RowOf } from '#server/foundation/database/schema/definition.ts'
import type { tables } from '#server/foundation/database/schema/schema.ts'

export type SharedRow = RowOf<typeof tables.upstreams>
type SharingColumns = Pick<
  SharedRow,
  'windows' | 'sharing' | 'keep' | 'reserve_percent' | 'member_names' | 'owner_id' | 'pool'
>

/** How an account is shared, as calls have it. */
type SharingValues = {
  windows: AccountWindow[]
  sharing: Sharing
  keep: Keep
  reserve_percent: number
  names: MemberNames
  owner_id: number | null
  pool: string | null
}

export const sharingView = (row: SharingColumns): SharingValues => ({
  windows: row.windows ?? [],
  // As they were sent.
  sharing: row.sharing as Sharing,
  keep: row.keep as Keep,
  reserve_percent: row.reserve_percent,
  names: row.member_names as MemberNames,
  owner_id: row.owner_id,
  pool: row.pool,
})

type Sent = Partial<Omit<SharingValues, 'windows'> & { windows: AccountWindow[] | null }>

/** The columns for what was sent. `before`: null for a new account. */
export function sharingColumns(
  sent: Sent,
  before: Pick<SharedRow, 'windows' | 'sharing'> | null,
  source: Source,
): Partial<SharingColumns> {
  const { names, windows: given, pool, sharing, keep, reserve_percent, owner_id } = sent
  const windows = given === undefined ? undefined : given?.length ? given : null
  requireCounted(windows ?? [], source)
  const isFirst = windows != null && before?.windows == null
  const becomes = sharing ?? (isFirst ? 'shares' : undefined)
  const columns = {
    ...(windows !== undefined && { windows }),
    ...(becomes !== undefined && { sharing: becomes }),
    ...(keep !== undefined && { keep }),
    ...(reserve_percent !== undefined && { reserve_percent }),
    ...(names !== undefined && { member_names: names }),
    ...(owner_id !== undefined && { owner_id }),
    ...(pool !== undefined && { pool: pool || null }),
  }
  const after = { sharing: 'first_come', windows: null, ...before, ...columns }
  if (after.sharing === 'shares' && after.windows === null)
    throw invalid(['body', sharing === undefined ? 'windows' : 'sharing'], 'shares need a window')
  return columns
}

/** A web account tells no tokens that are paid for. */
function requireCounted(windows: readonly AccountWindow[], source: Source): void {
  const at = source === 'openai_web' ? windows.findIndex(({ unit }) => unit === 'money') : -1
  if (at >= 0) throw invalid(['body', 'windows', at, 'unit'], 'not counted there')
}
