import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, storable, Time } from './envelope.ts'
import { NamedUser } from './jobs.ts'
import { DIALECTS } from './gateway.ts'
import { Source } from './models.ts'
import { ModelSettings, ModelSettingsRead, UpstreamModel } from './upstreamModels.ts'
import { AccountWindow } from './shares.ts'
import { AccountWindowReport, SharingFields } from './upstreamSharing.ts'
import { address, concurrency, CredentialName, headerName, keyText, seconds, sharedLimit, timeout } from './settings.ts'
import { MAX_PASTE, TokenAccount, webTokenText } from './webToken.ts'

/** Shared accounts and keys. Settings and `/system/credentials` set one of each source; others are added here. */
const Label = z.string().check(z.trim(), z.maxLength(80), storable)
/** Behind the path of each request, such as `api-version=2024-06-01`. */
const Query = z.nullable(z.string().check(z.trim(), z.maxLength(1000), z.regex(/^[\x21-\x7e]*$/, 'not a query')))

export const TEST_STEPS = ['address', 'key', 'models'] as const
export type TestStep = (typeof TEST_STEPS)[number]

/** The result of testing an upstream. */
export const UpstreamTest = z.object({
  /** In the order in which they were tried. `message` is the reason of the step that failed. */
  steps: z.array(z.object({ step: z.enum(TEST_STEPS), outcome: z.enum(['ok', 'failed', 'untried']) })),
  /** `errors.<key>` of what went wrong, with the values of its text; null where it answered as it should. */
  message: z.nullable(z.string()),
  values: z.nullable(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  /** How many models it lists; null where it gives no list. */
  listed: z.nullable(z.int()),
  /** Milliseconds until it was known. */
  duration: z.int(),
  /** Where its proxy came from: its own, the settings, or the environment. Null where that was not kept. */
  proxy: z.nullable(z.enum(['none', 'own', 'settings', 'environment'])),
  /** The dialects that it speaks; null where that was not found out. */
  dialects: z.nullable(z.array(z.enum(DIALECTS))),
})
export type UpstreamTest = z.infer<typeof UpstreamTest>

/** What is taken as the secret of an upstream, from what was pasted. */
export const SECRET_TEXT = { openai_api: keyText, openai_web: webTokenText } as const satisfies Record<Source, unknown>

/** What an administrator sets of an upstream. Null: as the settings of its source have it. */
const Fields = z.object({
  label: Label,
  base_url: address,
  /** Blank leaves it as it is, null clears it. It goes when the address leads elsewhere and none is sent with it. */
  secret: z.nullable(z.string().check(z.maxLength(MAX_PASTE))),
  key_header: headerName,
  query: Query,
  proxy: address,
  connect_timeout: z.nullable(timeout),
  first_token_timeout: z.nullable(timeout),
  read_timeout: z.nullable(timeout),
  ask_timeout: z.nullable(timeout),
  team_account_id: z.nullable(z.string().check(z.maxLength(200), storable)),
  concurrency: z.nullable(concurrency),
  shared_limit: sharedLimit,
  shared_limit_window_seconds: z.nullable(seconds),
  enabled: z.boolean(),
  /** In which requests of other tools may be passed on to it; null: those that its test finds. */
  dialects: z.nullable(z.array(z.enum(DIALECTS)).check(z.maxLength(3))),
  ...SharingFields,
  /** These alone are offered; null: those that it lists. */
  models: z.nullable(z.array(UpstreamModel).check(z.maxLength(200))),
  /** Of these models; of others it stays. */
  model_settings: z.array(ModelSettings).check(z.maxLength(300)),
})

export const NewUpstream = z.extend(z.partial(Fields), {
  source: Source,
  label: Label.check(z.minLength(1)),
})
export type NewUpstream = z.infer<typeof NewUpstream>

export type UpstreamField = keyof typeof Fields.shape

/** Fields left out stay. What is locked cannot be changed here. */
export const UpstreamChanges = z.extend(z.partial(Fields), {
  /** The values that were seen of the fields that are sent, of `secret` when it was set (`changedMeanwhile`). */
  expected: z.optional(z.partial(Fields)),
})
export type UpstreamChanges = z.infer<typeof UpstreamChanges>

const { base_url, secret, key_header, query, proxy } = Fields.shape
/** How an upstream would be reached. Blank or left out: as the settings of its source have it. */
export const UpstreamDraft = z.extend(z.partial(z.object({ base_url, secret, key_header, query, proxy })), {
  source: Source,
  /** One that is stored: its secret is sent where none comes with the draft and the address leads to the same place. */
  id: z.optional(z.int()),
})
export type UpstreamDraft = z.infer<typeof UpstreamDraft>

/** With the chat models that it lists. */
export const UpstreamDraftTest = z.extend(UpstreamTest, {
  models: z.array(z.object({ code: z.string(), name: z.string(), context_length: z.nullable(z.int()) })),
})
export type UpstreamDraftTest = z.infer<typeof UpstreamDraftTest>

/** How a shared account is used now. */
export const UpstreamLoad = z.object({
  id: z.int(),
  /** Running asks, how many may run at once, and waiting asks. */
  running: z.int(),
  places: z.int(),
  waiting: z.int(),
  /** Of its own limit in the window; `allowed` is null when no limit is known. */
  used: z.int(),
  allowed: z.nullable(z.int()),
  window_seconds: z.int(),
  /** Conversations that were asked there last, without the deleted ones. */
  conversations: z.int(),
  /** Null where nobody has paused it, or where their account is gone. */
  paused_by: z.nullable(NamedUser),
})
export type UpstreamLoad = z.infer<typeof UpstreamLoad>

/** What is known of a key; the key itself is never sent. */
const KeyState = z.object({
  set: z.boolean(),
  last4: z.nullable(z.string()),
  /** Nickname of whoever entered it; null also when that is not known. */
  changed_by: z.nullable(z.string()),
  changed_at: z.nullable(Time),
  /** The present secret key does not open it: nothing is asked in its place, it has to be entered again. */
  unreadable: z.boolean(),
})
export type KeyState = z.infer<typeof KeyState>

export const UpstreamRead = z.object({
  id: z.int(),
  source: Source,
  /** What is changed as settings and credentials of its source, and not here. */
  locked: z.array(z.keyof(Fields)),
  removable: z.boolean(),
  /** The name of its secret in `/system/credentials`; null: it has none there. */
  credential: z.nullable(CredentialName),
  label: z.string(),
  base_url: z.nullable(z.string()),
  /** Always blank; `_set` says whether there is one that is in use, its end, and who entered it when. */
  secret: z.literal(''),
  _set: z.object({ secret: KeyState }),
  /** When the token of a web account expires, as it says itself; null where there is none, or it does not say. */
  token_expire_time: z.nullable(Time),
  /** Whose the token of a web account says it is, so that one of another account is noticed; null as above. */
  token_account: z.nullable(TokenAccount),
  key_header: z.nullable(z.string()),
  query: z.nullable(z.string()),
  proxy: z.nullable(z.string()),
  connect_timeout: z.nullable(z.int()),
  first_token_timeout: z.nullable(z.int()),
  read_timeout: z.nullable(z.int()),
  ask_timeout: z.nullable(z.int()),
  team_account_id: z.nullable(z.string()),
  concurrency: z.nullable(z.int()),
  shared_limit: z.nullable(z.int()),
  shared_limit_window_seconds: z.nullable(z.int()),
  enabled: z.boolean(),
  /** As they are set; null: as its latest test found. */
  dialects: z.nullable(z.array(z.enum(DIALECTS))),
  ...SharingFields,
  windows: z.array(AccountWindow),
  /** Null where nobody owns it, or where their account is gone. */
  owner_name: z.nullable(z.string()),
  /** What the account itself says of its windows. */
  reported_windows: z.array(AccountWindowReport),
  paused_since: z.nullable(Time),
  /** The id of whoever paused it. */
  paused_by: z.nullable(z.int()),
  health: z.object({
    state: z.enum(['normal', 'cooling', 'attention']),
    since: z.nullable(Time),
    /** Until when new asks go to another account if possible. In `attention`: when an ask tries it again. */
    until: z.nullable(Time),
    /** `errors.<key>` of why. */
    message: z.nullable(z.string()),
  }),
  /**
   * Models that it does not answer with until then, while it answers with others; the soonest back first. `message`:
   * `errors.<key>` of why.
   */
  cooling_models: z.array(z.object({ model: z.string(), until: Time, message: z.string() })),
  last_tested: z.nullable(Time),
  last_test: z.nullable(UpstreamTest),
  models_read_time: z.nullable(Time),
  /** Whether an administrator has picked the offered models. */
  models_picked: z.boolean(),
  /** The models that it listed when last reached, or the picked ones. */
  models: z.array(
    z.extend(UpstreamModel, {
      label: z.nullable(z.string()),
      offered: z.boolean(),
      /** Tokens, as it said when it refused a question that was too long. */
      learned_context_length: z.nullable(z.int()),
    }),
  ),
  /** What the models take and can that it is asked for, as it says and as it is set. */
  model_settings: z.array(ModelSettingsRead),
})
export type UpstreamRead = z.infer<typeof UpstreamRead>

const byId = z.object({ id: RowId })

export const listUpstreams = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/upstreams',
  summary: 'The shared accounts and keys in the order in which they were added, those of the settings first.',
  result: z.array(UpstreamRead),
} as const satisfies Call

export const readUpstreamLoads = {
  ...nothing,
  access: 'superuser',
  method: 'GET',
  path: '/system/upstreams/loads',
  summary: 'How the shared accounts and keys are used now, and how many conversations live there.',
  result: z.object({ now: Time, loads: z.array(UpstreamLoad) }),
} as const satisfies Call

export const testUpstreamDraft = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/upstreams/test',
  summary:
    'Asks an account or key that is not stored whether it answers, step by step, and for its models; nothing of it is kept.',
  body: UpstreamDraft,
  result: UpstreamDraftTest,
} as const satisfies Call

export const addUpstream = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/upstreams',
  summary: 'Adds a shared account or key, tests it and reads its models.',
  body: NewUpstream,
  result: UpstreamRead,
} as const satisfies Call

export const changeUpstream = {
  ...nothing,
  access: 'superuser',
  method: 'PATCH',
  path: '/system/upstreams/:id',
  summary: 'Changes what is sent; refused when it was changed meanwhile.',
  params: byId,
  body: UpstreamChanges,
  result: UpstreamRead,
} as const satisfies Call

export const pauseUpstream = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/upstreams/:id/pause',
  summary: 'Asks it nothing new until it is resumed.',
  params: byId,
  result: UpstreamRead,
} as const satisfies Call

export const resumeUpstream = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/upstreams/:id/resume',
  summary: 'Asks it again.',
  params: byId,
  result: UpstreamRead,
} as const satisfies Call

export const acceptWindow = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/upstreams/:id/windows/accept',
  summary: 'Believes what an account says that it has now of a window, which doubled or vanished.',
  params: byId,
  /** With the amount that was seen; refused where it says another one meanwhile. */
  body: AccountWindow,
  result: UpstreamRead,
} as const satisfies Call

export const removeUpstream = {
  ...nothing,
  access: 'superuser',
  method: 'DELETE',
  path: '/system/upstreams/:id',
  summary: 'Removes it; its conversations go on elsewhere where they can.',
  params: byId,
  result: z.null(),
} as const satisfies Call

export const testUpstream = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/upstreams/:id/test',
  summary: 'Asks whether it answers and takes its key; what came of it is kept.',
  params: byId,
  result: UpstreamRead,
} as const satisfies Call

export const readUpstreamModels = {
  ...nothing,
  access: 'superuser',
  method: 'POST',
  path: '/system/upstreams/:id/read-models',
  summary: 'Asks it for its models once more.',
  params: byId,
  result: UpstreamRead,
} as const satisfies Call
