import type { Plugin } from '#contract/plugins.ts'
import { type Fields, fieldOf, isFields } from '../looseJson.ts'
import { orMissing } from './files.ts'
import type { ProviderPorts } from '../ports.ts'
import { textIn, commonTimeout } from './reach.ts'
import { type AskWeb, isWebId, pathPart } from './request.ts'

/** Bytes of a page, and of one plugin. */
const MAX_PAGE = 16 * 1024 * 1024
const MAX_PLUGIN = 1024 * 1024
const PAGE = 250
/** Pages of installed plugins. */
const MAX_PAGES = 8
const MAX_CATEGORIES = 20
/** Characters. */
const NAME = 200
const TEXT = 8_000
const ADDRESS = 2_000

type Ports = Pick<ProviderPorts, 'listPlugins' | 'listInstalledPlugins' | 'setPluginInstalled'>
type Page = { items: Plugin[]; count: number; given: number }

/** The plugins of a web account. */
export function pluginPorts(ask: AskWeb): Ports {
  return {
    async listPlugins(endpoint, { offset, limit, category, search }, signal) {
      const query = { offset, limit, ...(category !== '' && { category }), ...(search !== '' && { search }) }
      const request = { method: 'GET', path: 'aip/p/approved', query, max_bytes: MAX_PAGE } as const
      const { items, count } = await ask(endpoint, request, pageIn, signal)
      return { items: items.filter(({ status }) => status === 'approved'), count }
    },

    async listInstalledPlugins(endpoint, signal) {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(commonTimeout(endpoint))])
      const plugins = new Map<string, Plugin>()
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = { offset: page * PAGE, limit: PAGE, is_installed: 'true' }
        const request = { method: 'GET', path: 'aip/p', query, max_bytes: MAX_PAGE } as const
        const { items, given } = await ask(endpoint, request, pageIn, inTime)
        for (const plugin of items) if (!plugins.has(plugin.id)) plugins.set(plugin.id, plugin)
        if (given < PAGE) break
      }
      return [...plugins.values()]
    },

    setPluginInstalled(endpoint, id, is_installed, signal) {
      const path = `aip/p/${pathPart(id)}/user-settings`
      const request = { method: 'PATCH', path, body: { is_installed }, max_bytes: MAX_PLUGIN } as const
      return orMissing(
        ask(endpoint, request, answer => ofId(id, pluginIn(answer)), signal),
        'pluginNotFound',
      )
    },
  }
}

const ofId = (id: string, plugin: Plugin | null): Plugin | null => (plugin?.id === id ? plugin : null)

/** The plugins of a page, without what is none; `given` counts that as well. */
export function pageIn({ items, count }: Fields): Page | null {
  if (!Array.isArray(items)) return null
  const plugins = items.slice(0, PAGE).flatMap(item => pluginIn(item) ?? [])
  const said = typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : items.length
  return { items: plugins, count: said, given: items.length }
}

/**
 * A plugin with what is shown of it. Its logo is left out: nothing of the page's is fetched from an address that an
 * upstream gives.
 */
export function pluginIn(given: unknown): Plugin | null {
  if (!isFields(given) || !isWebId(given['id'])) return null
  return {
    id: given['id'],
    namespace: textIn(given['namespace'], NAME),
    manifest: manifestIn(given['manifest']),
    categories: categoriesIn(given['categories']),
    domain: textIn(given['domain'], NAME),
    status: textIn(given['status'], NAME),
    user_settings: settingsIn(given['user_settings']),
    oauth_client_id: textIn(given['oauth_client_id'], NAME),
  }
}

function manifestIn(given: unknown): Plugin['manifest'] {
  if (!isFields(given)) return null
  return {
    schema_version: textIn(given['schema_version'], NAME),
    name_for_model: textIn(given['name_for_model'], NAME),
    name_for_human: textIn(given['name_for_human'], NAME),
    description_for_model: textIn(given['description_for_model'], TEXT),
    description_for_human: textIn(given['description_for_human'], TEXT),
    api: typeIn(given['api']),
    auth: typeIn(given['auth']),
    logo_url: null,
    contact_email: textIn(given['contact_email'], NAME),
    legal_info_url: textIn(given['legal_info_url'], ADDRESS),
  }
}

/** Beside its type there are addresses and tokens, which nobody needs. */
function typeIn(given: unknown): { type: string } | null {
  const type = textIn(fieldOf(given, 'type'), NAME)
  return type === null ? null : { type }
}

function categoriesIn(given: unknown): Plugin['categories'] {
  if (!Array.isArray(given)) return null
  return given.slice(0, MAX_CATEGORIES).flatMap(each => {
    const [id, title] = [textIn(fieldOf(each, 'id'), NAME), textIn(fieldOf(each, 'title'), NAME)]
    return id === null || title === null ? [] : [{ id, title }]
  })
}

function settingsIn(given: unknown): Plugin['user_settings'] {
  if (!isFields(given)) return null
  const { is_authenticated, is_installed } = given
  return {
    is_authenticated: typeof is_authenticated === 'boolean' ? is_authenticated : null,
    is_installed: typeof is_installed === 'boolean' ? is_installed : null,
  }
}
