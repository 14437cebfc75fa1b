import { isRecord } from '../../http.ts'
import { answer, numberOf, refuse, type WebCall } from '../call.ts'
import { CATALOGUE, type CataloguePlugin, storeEntry } from './catalogue.ts'

const MAX_LISTED = 250

/** GET aip/p?offset&limit&is_installed=true */
export function listInstalled(call: WebCall) {
  sendPage(
    call,
    CATALOGUE.filter(({ id }) => call.account.installed.has(id)),
  )
}

/** GET aip/p/approved?offset&limit&category&search */
export function listApproved(call: WebCall) {
  const category = call.query.get('category') ?? ''
  const words = (call.query.get('search') ?? '').trim().toLowerCase()
  sendPage(
    call,
    CATALOGUE.filter(
      plugin =>
        (category === '' || plugin.categories.some(each => each === category)) &&
        (words === '' || `${plugin.name} ${plugin.description}`.toLowerCase().includes(words)),
    ),
  )
}

/** PATCH aip/p/{id}/user-settings: {is_installed} */
export function change(call: WebCall) {
  const plugin = CATALOGUE.find(({ id }) => id === call.id)
  if (!plugin) return refuse(call, 404, 'Plugin not found', 'plugin_not_found')
  const is_installed = isRecord(call.body) ? call.body.is_installed : undefined
  if (typeof is_installed !== 'boolean') return refuse(call, 422, 'is_installed is wanted')
  if (is_installed) call.account.installed.add(plugin.id)
  else call.account.installed.delete(plugin.id)
  answer(call, entryOf(call, plugin))
}

const entryOf = ({ account }: WebCall, plugin: CataloguePlugin) => storeEntry(plugin, account.installed.has(plugin.id))

function sendPage(call: WebCall, all: readonly CataloguePlugin[]) {
  const offset = numberOf(call.query, 'offset', 0)
  const limit = Math.min(numberOf(call.query, 'limit', MAX_LISTED), MAX_LISTED)
  answer(call, { items: all.slice(offset, offset + limit).map(plugin => entryOf(call, plugin)), count: all.length })
}
