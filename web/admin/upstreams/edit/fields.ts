import type { Source } from '#contract/models.ts'
import type { AccountWindow, Keep, MemberNames, Sharing } from '#contract/shares.ts'
import { shortestFirst } from './accountWindows.ts'
import { sentSettings, type TypedSettings, typedSettings } from './modelSettings.ts'
import {
  type KeyState,
  NewUpstream,
  SECRET_TEXT,
  type UpstreamChanges,
  type UpstreamRead,
} from '#contract/upstreams.ts'

export type PickedModel = { code: string; name: string; label: string | null; context_length: number | null }

/** The form's values as they are typed. Blank: as the settings of the source have it. */
export type Fields = {
  label: string
  base_url: string
  /**
   * The text that was entered, or null to remove the key. Until then the state of the stored key, which shows whether
   * somebody replaced it.
   */
  secret: string | null | KeyState
  key_header: string
  query: string
  proxy: string
  connect_timeout: string
  first_token_timeout: string
  read_timeout: string
  ask_timeout: string
  concurrency: string
  shared_limit: string
  window_hours: string
  enabled: boolean
  windows: readonly AccountWindow[]
  sharing: Sharing
  keep: Keep
  reserve_percent: string
  names: MemberNames
  owner_id: number | null
  pool: string
  /** Null: all that it lists. */
  models: readonly PickedModel[] | null
  /** Of the models that anything was set of. */
  model_settings: readonly TypedSettings[]
}
export type FieldName = keyof Fields

export const TIMEOUTS = ['connect_timeout', 'first_token_timeout', 'read_timeout', 'ask_timeout'] as const
/** The fields of the connection. When one of them changes, the result of the last test no longer applies. */
export const CONNECTION_FIELDS = ['base_url', 'secret', 'key_header', 'query', 'proxy'] as const

/** The tab on which a field stands. */
export type TabName = 'connection' | 'sharing' | 'models'
const SHARING_FIELDS: readonly FieldName[] = [
  ...(['concurrency', 'shared_limit', 'window_hours', 'enabled', 'windows', 'sharing'] as const),
  ...(['keep', 'reserve_percent', 'names', 'owner_id', 'pool'] as const),
]
export const tabOf = (name: FieldName): TabName =>
  SHARING_FIELDS.includes(name) ? 'sharing' : name === 'models' || name === 'model_settings' ? 'models' : 'connection'

/** The contract's maximum number of models of one account. */
export const MAX_PICKED = 200

export const BLANK: Fields = {
  label: '',
  base_url: '',
  secret: '',
  key_header: '',
  query: '',
  proxy: '',
  connect_timeout: '',
  first_token_timeout: '',
  read_timeout: '',
  ask_timeout: '',
  concurrency: '',
  shared_limit: '',
  window_hours: '',
  enabled: true,
  windows: [],
  sharing: 'first_come',
  keep: 'usual',
  reserve_percent: '',
  names: 'full',
  owner_id: null,
  pool: '',
  models: null,
  model_settings: [],
}

const HOUR = 3600

const textOf = (value: string | number | null): string => (value === null ? '' : String(value))

export function fieldsOf(upstream: UpstreamRead): Fields {
  const { shared_limit_window_seconds: window, models_picked, models } = upstream
  return {
    label: upstream.label,
    base_url: textOf(upstream.base_url),
    secret: upstream._set.secret,
    key_header: textOf(upstream.key_header),
    query: textOf(upstream.query),
    proxy: textOf(upstream.proxy),
    connect_timeout: textOf(upstream.connect_timeout),
    first_token_timeout: textOf(upstream.first_token_timeout),
    read_timeout: textOf(upstream.read_timeout),
    ask_timeout: textOf(upstream.ask_timeout),
    concurrency: textOf(upstream.concurrency),
    shared_limit: textOf(upstream.shared_limit),
    window_hours: textOf(window === null ? null : window / HOUR),
    enabled: upstream.enabled,
    windows: shortestFirst(upstream.windows),
    sharing: upstream.sharing,
    keep: upstream.keep,
    reserve_percent: upstream.reserve_percent === 0 ? '' : String(upstream.reserve_percent),
    names: upstream.names,
    owner_id: upstream.owner_id,
    pool: textOf(upstream.pool),
    models: models_picked ? models.filter(({ offered }) => offered).map(pickOf) : null,
    model_settings: upstream.model_settings.map(typedSettings),
  }
}

export const pickOf = ({ code, name, label, context_length }: PickedModel): PickedModel => ({
  code,
  name,
  label,
  context_length,
})

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text.replaceAll(',', '')))
const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

type Sent = Partial<Omit<NewUpstream, 'source'>>

/** The key that was entered; blank when none was. */
export const enteredKey = (secret: Fields['secret']): string => (typeof secret === 'string' ? secret : '')

const SENT: { readonly [Name in FieldName]: (value: Fields[Name]) => Sent } = {
  label: label => ({ label: label.trim() }),
  base_url: text => ({ base_url: orNull(text) }),
  secret: secret => ({ secret: secret === null ? null : enteredKey(secret).trim() }),
  key_header: text => ({ key_header: orNull(text) }),
  query: text => ({ query: orNull(text) }),
  proxy: text => ({ proxy: orNull(text) }),
  connect_timeout: text => ({ connect_timeout: numberOf(text) }),
  first_token_timeout: text => ({ first_token_timeout: numberOf(text) }),
  read_timeout: text => ({ read_timeout: numberOf(text) }),
  ask_timeout: text => ({ ask_timeout: numberOf(text) }),
  concurrency: text => ({ concurrency: numberOf(text) }),
  shared_limit: text => ({ shared_limit: numberOf(text) }),
  window_hours: text => {
    const hours = numberOf(text)
    return { shared_limit_window_seconds: hours === null ? null : Math.round(hours * HOUR) }
  },
  enabled: enabled => ({ enabled }),
  windows: windows => ({ windows: [...windows] }),
  sharing: sharing => ({ sharing }),
  keep: keep => ({ keep }),
  reserve_percent: text => ({ reserve_percent: numberOf(text) ?? 0 }),
  names: names => ({ names }),
  owner_id: owner_id => ({ owner_id }),
  pool: text => ({ pool: orNull(text) }),
  models: models => ({ models: models === null ? null : [...models] }),
  model_settings: settings => ({ model_settings: settings.map(sentSettings) }),
}

/** The fields in the form in which they are sent. */
export function sentOf(fields: Partial<Fields>): Sent {
  const names = Object.keys(fields) as FieldName[] // the keys of Fields
  return Object.assign({}, ...names.map(name => sentField(name, fields)))
}

/** The values that were seen, in the form in which they are sent; of a key, when it was set. */
export function expectedOf({ secret, ...seen }: Partial<Fields>): UpstreamChanges['expected'] {
  const isState = typeof secret === 'object' && secret !== null
  return { ...sentOf(seen), ...(isState && { secret: secret.changed_at }) }
}

function sentField<Name extends FieldName>(name: Name, fields: Partial<Fields>): Sent {
  const value = fields[name]
  return value === undefined ? {} : SENT[name](value as Fields[Name]) // not undefined
}

/**
 * The fields whose values the contract, and so the server, refuses. `mayBeNameless`: one that is always there needs no
 * label.
 */
export function mistakesIn(fields: Fields, mayBeNameless: boolean, source: Source): FieldName[] {
  const names = Object.keys(fields) as FieldName[] // as above
  return names.filter(name => {
    const sent = sentField(name, fields)
    if (name === 'label' && mayBeNameless && fields.label.trim() === '') return false
    if (name === 'models' && fields.models?.length === 0) return true
    if (name === 'secret') return !SECRET_TEXT[source].safeParse(sent.secret).success
    return Object.entries(sent).some(([key, value]) => !isTaken(key, value))
  })
}

const SHAPE: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>> = NewUpstream.shape

const isTaken = (key: string, value: unknown): boolean => SHAPE[key]?.safeParse(value).success === true
