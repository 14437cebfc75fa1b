import type { Configuration } from '#contract/configuration/configuration.ts'
import type { Dialect } from '#contract/gateway.ts'
import type { Source } from '#contract/models.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import type { UpstreamRow } from './store.ts'

export const OPENAI_BASE_URL = 'https://api.openai.com/v1/'

/** The address of a row, else that of the settings; null when neither has one. */
export function addressOf(
  { source, base_url, query }: Pick<UpstreamRow, 'source' | 'base_url' | 'query'>,
  settings: Configuration,
): string | null {
  const base = base_url ?? (source === 'openai_api' ? OPENAI_BASE_URL : settings.openai_web.chatgpt_base_url)
  if (base === null || query === null || query === '') return base
  return `${base}${base.includes('?') ? '&' : '?'}${query}`
}

/** The origin of an address; blank when there is none. A secret is only sent to the origin it was entered for. */
export const originOf = (address: string | null): string =>
  address !== null && URL.canParse(address) ? new URL(address).origin : ''

/** What every endpoint speaks. */
const USUAL: readonly Dialect[] = ['chat']

/** The dialects that are set of an upstream, else those that its latest test has found. */
export const spokenDialects = (row: Pick<UpstreamRow, 'dialects' | 'last_test'> | null): readonly Dialect[] =>
  row?.dialects ?? row?.last_test?.dialects ?? USUAL

/** How an upstream has answered lately. Times in epoch milliseconds. */
export type Health =
  /** `failures`: when requests failed lately. No single failure means that it is down. */
  | { state: 'normal'; failures?: readonly number[] }
  /** New asks go elsewhere until then, where there is another one. `guessed`: the upstream did not say until when. */
  | { state: 'cooling'; until: number; since: number; reason: RefusalKey; guessed?: true }
  /**
   * An administrator has to do something. Once in a while one ask finds out whether it was done; null: none is sent
   * before.
   */
  | { state: 'attention'; next_try: number | null; since: number; reason: RefusalKey }

/** A shared account or key, or a person's own endpoint: whom an ask goes to, and what its queue is called by. */
export type Upstream = {
  id: number
  source: Source
  /** Whose own it is; null for a shared one. */
  user_id: number | null
  /** Blank where nobody named it. */
  label: string
  enabled: boolean
  paused_since: number | null
  /** How many asks it answers at once. */
  concurrency: number
  health: Health
  /** What the web service calls the team of the account; null: it has none, or none is known. */
  team_account_id: string | null
  shared_limit: number | null
  shared_limit_window_seconds: number
  /** Whether the settings say which of its models are offered and what they are called, or it does for itself. */
  modelsBy: 'settings' | 'row'
  /** The built-in simulator answers in its place. */
  isDemonstration: boolean
  /** In which dialects requests of other tools may be passed on to it. */
  dialects: readonly Dialect[]
}

/** How many of its asks are being answered, and how many wait. */
export type Load = { running: number; waiting: number }

export const IDLE: Load = { running: 0, waiting: 0 }

/** One that may be asked, with what it has to do. */
export type Candidate = { upstream: Upstream; load: Load }
