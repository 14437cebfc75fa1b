import { seedOf } from '../../answers/random.ts'
import { readAnswers } from '../../answers/voice.ts'

const CATEGORIES = ['most_popular', 'newly_added'] as const
type Category = (typeof CATEGORIES)[number]

export type CataloguePlugin = {
  id: string
  namespace: string
  name: string
  description: string
  domain: string
  categories: readonly Category[]
}

/** Invented plugins, and where the store shows them. */
export const CATALOGUE: readonly CataloguePlugin[] = readAnswers('plugins')
  .trim()
  .split('\n')
  .slice(2)
  .map(row => {
    const [, namespace = '', name = '', description = '', shown = ''] = row.split('|').map(cell => cell.trim())
    const categories = CATEGORIES.filter(category => shown.includes(category))
    return { id: idOf(namespace), namespace, name, description, domain: `${namespace}.example`, categories }
  })

/** An id that is the same on every machine. */
function idOf(namespace: string): string {
  const part = (salt: string, length: number) =>
    seedOf(`${salt}${namespace}`).toString(16).padStart(8, '0').slice(0, length)
  return `plugin-${part('a', 8)}-${part('b', 4)}-4${part('c', 3)}-8${part('d', 3)}-${part('e', 8)}${part('f', 4)}`
}

const TITLES: Record<Category, string> = { most_popular: 'Most popular', newly_added: 'New' }

/** A plugin as the store lists it. */
export function storeEntry(plugin: CataloguePlugin, is_installed: boolean) {
  const { id, namespace, name, description, domain, categories } = plugin
  return {
    id,
    domain,
    namespace,
    status: 'approved',
    manifest: {
      schema_version: 'v1',
      name_for_model: namespace,
      name_for_human: name,
      description_for_model: `${description} Use it whenever the question is about that.`,
      description_for_human: description,
      auth: { type: 'none' },
      api: { type: 'openapi', url: `https://${domain}/openapi.yaml` },
      logo_url: `https://${domain}/logo.png`,
      contact_email: `hello@${domain}`,
      legal_info_url: `https://${domain}/terms`,
    },
    oauth_client_id: null,
    user_settings: { is_installed, is_authenticated: true },
    categories: categories.map(category => ({ id: category, title: TITLES[category] })),
  }
}
