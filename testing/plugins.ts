import type { Plugin } from '#contract/plugins.ts'

/** A plugin that an account has. */
export const aPlugin = (id: string): Plugin => ({
  id,
  namespace: id,
  manifest: { name_for_human: `The ${id}`, description_for_human: 'Helps.' },
  domain: `${id}.example.org`,
  status: 'approved',
  user_settings: { is_installed: true },
})
