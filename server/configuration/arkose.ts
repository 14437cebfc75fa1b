import type { Configuration } from '#contract/configuration.ts'

/** The address of the Arkose endpoint, with its slash; null while questions go without its tokens. */
export function arkoseBase({ openai_web }: Configuration): string | null {
  const { enable_arkose_endpoint, arkose_endpoint_base } = openai_web
  return enable_arkose_endpoint ? arkose_endpoint_base : null
}
