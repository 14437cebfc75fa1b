const MEGABYTE = 1_048_576

/** What a number counts. */
type Measure = 'shares' | 'keys' | 'days' | 'conversations' | 'mbOfFile' | 'mbOfAll'

/** What stands in a field without a number, and what that means. */
type Empty = 'unlimited' | 'never' | 'portal' | null

type Field =
  | { kind: 'switch'; inverted?: true }
  | { kind: 'text' | 'slots' }
  | { kind: 'number'; unit?: Measure; size?: number; empty: Empty }

/** How the values of a plan are shown and typed. */
export const FIELDS = {
  allow_to_use: { kind: 'switch' },
  valid_days: { kind: 'number', unit: 'days', empty: 'never' },
  daily_available_time_slots: { kind: 'slots' },
  max_conv_count: { kind: 'number', unit: 'conversations', empty: 'unlimited' },
  disable_uploading: { kind: 'switch', inverted: true },
  use_team: { kind: 'switch' },
  allow_custom_openai_api: { kind: 'switch' },
  instructions: { kind: 'text' },
  max_file_bytes: { kind: 'number', unit: 'mbOfFile', size: MEGABYTE, empty: 'portal' },
  max_upload_bytes: { kind: 'number', unit: 'mbOfAll', size: MEGABYTE, empty: 'portal' },
  share_weight: { kind: 'number', unit: 'shares', empty: null },
  may_borrow: { kind: 'switch' },
  max_keys: { kind: 'number', unit: 'keys', empty: null },
  retention_days: { kind: 'number', unit: 'days', empty: 'never' },
  deleted_retention_days: { kind: 'number', unit: 'days', empty: 'portal' },
} as const satisfies Record<string, Field>

export type FieldName = keyof typeof FIELDS
