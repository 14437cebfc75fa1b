import type { Configuration } from '#contract/configuration/configuration.ts'
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
