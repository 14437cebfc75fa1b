import { storableText } from '#contract/storableText.ts'
import { beginningOf } from '#contract/cutText.ts'
import type { Plugin } from '#contract/plugins.ts'

/** Characters. Whoever wrote a plugin wrote its texts, and people's browsers hold hundreds of them. */
const MAX_LENGTHS = { id: 80, name: 120, line: 300, text: 2_000, instructions: 8_000 }
const MAX_CATEGORIES = 12

/** Control characters but line ends and tabs, and what turns the direction of other text round. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNSHOWN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

type Manifest = NonNullable<Plugin['manifest']>

/**
 * A plugin as people are shown it: known fields, of bounded length, plain text, and addresses that a browser may open.
 */
export function boundedPlugin(plugin: Plugin): Plugin {
  const { id, namespace, manifest, categories, domain, status, user_settings, oauth_client_id } = plugin
  return {
    id: cut(id, MAX_LENGTHS.id),
    namespace: cutOrNull(namespace, MAX_LENGTHS.name),
    manifest: manifest === null ? null : boundedManifest(manifest),
    categories: (categories ?? [])
      .slice(0, MAX_CATEGORIES)
      .map(category => ({ id: cut(category.id, MAX_LENGTHS.name), title: cut(category.title, MAX_LENGTHS.name) })),
    domain: cutOrNull(domain, MAX_LENGTHS.line),
    status: cutOrNull(status, MAX_LENGTHS.name),
    user_settings: user_settings && {
      is_authenticated: user_settings.is_authenticated ?? null,
      is_installed: user_settings.is_installed ?? null,
    },
    oauth_client_id: cutOrNull(oauth_client_id, MAX_LENGTHS.name),
  }
}

function boundedManifest(manifest: Manifest): Manifest {
  return {
    schema_version: cutOrNull(manifest.schema_version, MAX_LENGTHS.name),
    name_for_model: cutOrNull(manifest.name_for_model, MAX_LENGTHS.name),
    name_for_human: cutOrNull(manifest.name_for_human, MAX_LENGTHS.name),
    description_for_model: cutOrNull(manifest.description_for_model, MAX_LENGTHS.instructions),
    description_for_human: cutOrNull(manifest.description_for_human, MAX_LENGTHS.text),
    api: { type: textIn(manifest.api, 'type') },
    auth: { type: textIn(manifest.auth, 'type') },
    logo_url: addressOrNull(manifest.logo_url),
    contact_email: cutOrNull(manifest.contact_email, MAX_LENGTHS.line),
    legal_info_url: addressOrNull(manifest.legal_info_url),
  }
}

const cut = (text: string, most: number): string => beginningOf(storableText(text.replaceAll(UNSHOWN, '')), most)

const cutOrNull = (text: string | null | undefined, most: number): string | null =>
  text === null || text === undefined ? null : cut(text, most)

function textIn(value: unknown, name: string): string | null {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : null
  return typeof found === 'string' ? cut(found, MAX_LENGTHS.name) : null
}

function addressOrNull(text: string | null | undefined): string | null {
  const address = text === null || text === undefined || text.length > MAX_LENGTHS.text ? null : URL.parse(text)
  return address !== null && ['http:', 'https:'].includes(address.protocol) ? address.href : null
}
