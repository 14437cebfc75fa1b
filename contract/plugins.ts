import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'
import { RowId, Time } from './envelope.ts'

const text = z.nullable(z.string())

export const Plugin = z.looseObject({
  id: z.string(),
  namespace: text,
  manifest: z.nullable(
    z.looseObject({
      schema_version: z.optional(text),
      name_for_model: z.optional(text),
      name_for_human: z.optional(text),
      description_for_model: z.optional(text),
      description_for_human: z.optional(text),
      api: z.optional(z.unknown()),
      auth: z.optional(z.unknown()),
      logo_url: z.optional(text),
      contact_email: z.optional(text),
      legal_info_url: z.optional(text),
    }),
  ),
  categories: z.optional(z.nullable(z.array(z.looseObject({ id: z.string(), title: z.string() })))),
  domain: text,
  status: text,
  user_settings: z.nullable(
    z.looseObject({
      is_authenticated: z.optional(z.nullable(z.boolean())),
      is_installed: z.optional(z.nullable(z.boolean())),
      /** Ours: whether people may choose it. */
      is_enabled: z.optional(z.nullable(z.boolean())),
    }),
  ),
  oauth_client_id: z.optional(text),
  /** Ours: the shared accounts that have it, in the list that people choose from. */
  upstream_ids: z.optional(z.array(z.int())),
})
export type Plugin = z.infer<typeof Plugin>

/**
 * `upstream_id` and `read_time` are ours: whose list it is, and when it was read there. Null where it is of several.
 */
export const PluginList = z.object({
  items: z.array(Plugin),
  count: z.int(),
  upstream_id: z.optional(z.nullable(z.int())),
  read_time: z.optional(Time),
})
export type PluginList = z.infer<typeof PluginList>

/** A list has no more of them on a page than this, whatever is asked for. */
export const MAX_PLUGINS_ON_PAGE = 100

const number = z.string().check(z.regex(/^\d{1,6}$/))
const PluginId = z.string().check(z.regex(/^[A-Za-z0-9-]{1,80}$/))
const byId = z.object({ id: PluginId })

/** For superusers: another account than the first one, and its list as it is now. */
const ofAccount = { upstream_id: z.optional(RowId), fresh: z.optional(z.enum(['true', 'false'])) }

export const listPlugins = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/chat/openai-plugins',
  summary: 'The plugin store.',
  query: z.object({
    offset: z.optional(number),
    limit: z.optional(number),
    category: z.optional(z.string().check(z.maxLength(100))),
    search: z.optional(z.string().check(z.maxLength(200))),
    ...ofAccount,
  }),
  result: PluginList,
} as const satisfies Call

export const listInstalledPlugins = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/chat/openai-plugins/installed',
  summary: 'The plugins that people may choose; with an account, all that are installed there.',
  query: z.object(ofAccount),
  result: PluginList,
} as const satisfies Call

export const readInstalledPlugin = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/chat/openai-plugins/installed/:id',
  summary: 'One of them.',
  params: byId,
  result: Plugin,
} as const satisfies Call

const settings = {
  ...nothing,
  access: 'superuser',
  method: 'PATCH',
  summary: 'Installs or uninstalls a plugin at an account, or says whether people may choose it.',
  params: byId,
  query: z.object({
    plugin_id: z.optional(PluginId),
    use_team: z.optional(z.enum(['true', 'false'])),
    upstream_id: ofAccount.upstream_id,
  }),
  /** Signing in to a plugin is not passed on: `is_authenticated` is refused. */
  body: z.object({
    is_installed: z.optional(z.boolean()),
    is_authenticated: z.optional(z.boolean()),
    is_enabled: z.optional(z.boolean()),
  }),
  result: Plugin,
} as const

export const updatePlugin = { ...settings, path: '/chat/openai-plugins/:id/user-settings' } as const satisfies Call
/** The singular path of the specification. */
export const updatePluginSingular = {
  ...settings,
  path: '/chat/openai-plugin/:id/user-settings',
} as const satisfies Call
