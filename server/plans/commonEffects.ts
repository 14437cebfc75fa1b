import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { commonValues } from '#server/policy/commonValues.ts'
import { COMMON_FIELDS, type CommonField, type CommonInForce } from '#server/policy/planTree.ts'
import type { ConfigurationChange, ValueEffect } from './configurationChange.ts'

/** How much a value is, so that more of it is a gain; null where it can only differ. */
type Size = (value: unknown, settings: Configuration) => number | null

const size: Size = value => Number(value)
/** -1 is for ever. */
const days = (value: unknown): number => (Number(value) < 0 ? Infinity : Number(value))

/** A value of null is as the settings say. */
const SIZES: Record<CommonField, Size> = {
  max_upload_bytes: (value, { data }) => Number(value ?? data.max_upload_bytes_per_user),
  max_file_bytes: (value, { data }) => Number(value ?? data.max_file_upload_size),
  instructions: () => null,
  share_weight: size,
  may_borrow: size,
  max_keys: size,
  retention_days: (value, { keeping }) => days(value ?? keeping.conversation_days),
  deleted_retention_days: (value, { keeping }) => days(value ?? keeping.deleted_days),
}

/** What a change is to people, of the values that are of no source. Nobody is blocked by any of them. */
export async function commonEffects(
  database: Database,
  user_ids: readonly number[],
  { before, after }: ConfigurationChange,
): Promise<(user_id: number) => ValueEffect[]> {
  const [was, is] = await Promise.all([before, after].map(settings => commonValues(database, settings, user_ids)))
  return user_id => (was === undefined || is === undefined ? [] : changes(was(user_id), is(user_id), { before, after }))
}

function changes(
  was: CommonInForce,
  is: CommonInForce,
  { before, after }: Pick<ConfigurationChange, 'before' | 'after'>,
): ValueEffect[] {
  return COMMON_FIELDS.flatMap((field): ValueEffect[] => {
    const [one, other] = [was[field].value, is[field].value]
    const [size, next] = [SIZES[field](one, before), SIZES[field](other, after)]
    if (size === null || next === null)
      return one === other ? [] : [{ source: null, field, value: one, effect: 'differs' }]
    return size === next ? [] : [{ source: null, field, value: one, effect: next > size ? 'gains' : 'loses' }]
  })
}
