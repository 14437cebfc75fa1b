import type { UserReadAdmin, UserUpdate } from '#contract/users.ts'
import { type ApiSetting, UNLIMITED, type UserSettingUpdate, type WebSetting } from '#contract/limits.ts'
import { type Source, SOURCES } from '#contract/models.ts'
import type { SourceSummary, UserRow } from '#contract/userAdministration.ts'

type AccountDraft = Pick<
  UserReadAdmin,
  'nickname' | 'username' | 'email' | 'remark' | 'is_active' | 'is_superuser' | 'is_verified'
>
type Counts = 'total_ask_count' | 'per_model_ask_count'
/**
 * A source's settings with allowed counts in place of remaining ones, so that asks made meanwhile do not change the
 * form.
 */
type Allowed<Setting> = Omit<Setting, Counts> & {
  total_ask_allowed: number
  per_model_ask_allowed: Record<string, number>
}

/** What an administrator edits of a person. */
export type UserDraft = {
  account: AccountDraft
  setting: { credits: number }
  openai_web: Allowed<WebSetting>
  openai_api: Allowed<ApiSetting>
}
export type Part = keyof UserDraft

export function draftOf(user: UserReadAdmin, row: Pick<UserRow, Source>): UserDraft {
  const { nickname, username, email, remark, is_active, is_superuser, is_verified, setting } = user
  return {
    account: { nickname, username, email, remark, is_active, is_superuser, is_verified },
    setting: { credits: setting.credits },
    openai_web: allowedOf(setting.openai_web, row.openai_web),
    openai_api: allowedOf(setting.openai_api, row.openai_api),
  }
}

function allowedOf<Setting extends WebSetting | ApiSetting>(
  { total_ask_count: _remaining, per_model_ask_count, ...setting }: Setting,
  { total, models }: SourceSummary,
): Allowed<Setting> {
  const unlimited = Object.keys(per_model_ask_count).map(code => [code, UNLIMITED])
  const counted = models.map(({ model, count }) => [model, count.allowed])
  return {
    ...setting,
    total_ask_allowed: total.allowed,
    per_model_ask_allowed: Object.fromEntries([...unlimited, ...counted]),
  }
}

/** The draft as single fields, each changed, compared and sent by itself. Each model's count is a field. */
export type Fields = Readonly<Record<string, unknown>>
/** `openai_web.valid_until`, or with the model `openai_web.per_model_ask_allowed.gpt_4`. */
type FieldName = { part: Part; field: string; model: string | null }

const COUNTS = 'per_model_ask_allowed'
const NAME = /^(account|setting|openai_web|openai_api)\.(\w+)(?:\.(.+))?$/

export function nameOf(text: string): FieldName {
  const [, part, field, model = null] = NAME.exec(text) ?? []
  if (part === undefined || field === undefined) throw new Error(`${text} is no field of a person`)
  return { part: part as Part, field, model } // the pattern has the parts
}

export function fieldsOf(draft: UserDraft): Fields {
  return Object.assign({}, ...(Object.keys(draft) as Part[]).map(part => fieldsOfPart(part, draft[part]))) as Fields
}

export function fieldsOfPart(part: Part, fields: object): Fields {
  const entries = Object.entries(fields).flatMap(([field, value]) =>
    field === COUNTS
      ? Object.entries(value as object).map(([model, count]) => [`${part}.${COUNTS}.${model}`, count])
      : [[`${part}.${field}`, value]],
  )
  return Object.fromEntries(entries)
}

type Parts = Partial<Record<Part, Record<string, unknown>>>

function partsOf(fields: Fields): Parts {
  const parts: Parts = {}
  for (const [text, value] of Object.entries(fields)) {
    const { part, field, model } = nameOf(text)
    const own = (parts[part] ??= {})
    if (model === null) own[field] = value
    else own[field] = { ...(own[field] as object | undefined), [model]: value }
  }
  return parts
}

/** The inverse of `fieldsOf`, for all fields. */
export function draftFrom(fields: Fields): UserDraft {
  return partsOf(fields) as UserDraft // `fieldsOf` has taken them from one
}

/** The bodies to send: the changed fields alone, with the values that were seen of them. */
export function sentOf(changed: Fields, expected: Fields): { account?: UserUpdate; setting?: UserSettingUpdate } {
  const [after, before] = [partsOf(changed), partsOf(expected)]
  const setting = settingOf(after)
  return {
    // Their fields are the contract's; what is out of its bounds the server refuses in words.
    ...(after.account !== undefined && { account: { ...after.account, expected: before.account } as UserUpdate }),
    ...(setting !== null && { setting: { ...setting, expected: settingOf(before) } as UserSettingUpdate }),
  }
}

/** Both sources and the credits go in one call. */
function settingOf({ setting, ...parts }: Parts): object | null {
  const sources = SOURCES.filter(source => parts[source] !== undefined).map(source => [source, parts[source]])
  return setting === undefined && sources.length === 0 ? null : { ...setting, ...Object.fromEntries(sources) }
}
