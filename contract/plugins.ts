import * as z from 'zod/mini'
import { type Call, nothing } from './call.ts'

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
    }),
  ),
  oauth_client_id: z.optional(text),
})
export type Plugin = z.infer<typeof Plugin>
export const PluginList = z.object({ items: z.array(Plugin), count: z.int() })

const number = z.string().check(z.regex(/^\d{1,6}$/))
const byId = z.object({ id: z.string().check(z.regex(/^[A-Za-z0-9-]{1,80}$/)) })

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
  }),
  result: PluginList,
} as const satisfies Call

export const listInstalledPlugins = {
  ...nothing,
  access: 'user',
  method: 'GET',
  path: '/chat/openai-plugins/installed',
  summary: 'Plugins of the shared account.',
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
  summary: 'Installs or uninstalls a plugin.',
  params: byId,
  query: z.object({ plugin_id: z.optional(z.string()), use_team: z.optional(z.enum(['true', 'false'])) }),
  body: z.object({ is_installed: z.optional(z.boolean()), is_authenticated: z.optional(z.boolean()) }),
  result: Plugin,
} as const

export const updatePlugin = { ...settings, path: '/chat/openai-plugins/:id/user-settings' } as const satisfies Call
/** The singular path of the specification. */
export const updatePluginSingular = {
  ...settings,
  path: '/chat/openai-plugin/:id/user-settings',
} as const satisfies Call
