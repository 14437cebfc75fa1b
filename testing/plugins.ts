import type { Plugin } from '#contract/plugins.ts'

/** A plugin of which nothing is known but what the case says. */
export const pluginWith = (fields: Partial<Plugin> = {}): Plugin => ({
  id: 'plugin-1',
  namespace: null,
  manifest: null,
  domain: null,
  status: null,
  user_settings: null,
  ...fields,
})

/** A plugin that an account has. */
export const aPlugin = (id: string) =>
  pluginWith({
    id,
    namespace: id,
    manifest: { name_for_human: `The ${id}`, description_for_human: 'Helps.' },
    domain: `${id}.example.org`,
    status: 'approved',
    user_settings: { is_installed: true },
  })
