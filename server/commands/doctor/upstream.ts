import type { Configuration } from '#contract/configuration/configuration.ts'
import { sharedProxy } from '#server/configuration/environmentProxy.ts'
import { enabledModels, type ListedModel, upstreamName, withListedModels } from '#server/configuration/models.ts'
import { type Outbound, OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import { askForModels, knowsQuestions } from '#server/providers/openai_api/modelList.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import { OPENAI_BASE_URL } from '#server/upstreams/upstream.ts'
import { type Finding, good, wrong } from '#server/foundation/finding.ts'

const ADDRESS = 'Look at openai_api.openai_base_url (OPENAI_BASE_URL): it goes as far as /v1/.'
const KEY = 'Look at the key (OPENAI_API_KEY, or the credentials on the administrators’ page).'

const OF_ACCOUNT = 'Look at its address: npm run commons -- call listUpstreams.'
const KEY_OF_ACCOUNT = 'Give it its key on the administrators’ page, or with npm run commons -- call changeUpstream.'

type Connection = {
  configuration: Configuration
  key: string | null
  outbound: Outbound
  env: NodeJS.ProcessEnv
  /** Whether an administrator has chosen the models. */
  picked: boolean
  /** Whether endpoints were added, which answer in place of the demonstration. */
  hasOthers?: boolean
}

/** Requests the first endpoint's models in the way an ask would be sent. */
export async function checkUpstream({
  configuration,
  key,
  outbound,
  env,
  picked,
  hasOthers = false,
}: Connection): Promise<Finding[]> {
  const { openai_api } = configuration
  if (!openai_api.enabled) return [good('upstream', 'openai_api is switched off')]
  if (openai_api.openai_base_url === null && key === null) {
    if (hasOthers) return [good('upstream', 'the settings name none; those that were added answer')]
    return [
      good('upstream', 'the built-in demonstration answers; OPENAI_API_KEY or OPENAI_BASE_URL connects a real one'),
    ]
  }
  const base_url = openai_api.openai_base_url ?? OPENAI_BASE_URL
  const proxy = sharedProxy(env, openai_api.proxy, base_url)
  const endpoint = { base_url, key, key_header: openai_api.key_header || null, proxy, addresses: 'any' as const }
  const { models, findings } = await ask(outbound, endpoint, { name: base_url, address: ADDRESS, key: KEY })
  return models === null ? findings : findingsOf(withListedModels(configuration, models, picked), base_url, models)
}

/** The same of one that an administrator added. */
export async function checkFurther(outbound: Outbound, label: string, endpoint: ProviderEndpoint): Promise<Finding[]> {
  const name = `${label}: ${endpoint.base_url}`
  const { models, findings } = await ask(outbound, endpoint, { name, address: OF_ACCOUNT, key: KEY_OF_ACCOUNT })
  return models === null ? findings : [good('upstream', `${name} answers and lists ${models.length} models`)]
}

/** The name of an endpoint, and how to correct its address and its key. */
type Words = { name: string; address: string; key: string }
type Answered = { models: ListedModel[] | null; findings: Finding[] }

/** The list of models; without one, what is to be said of it. */
async function ask(outbound: Outbound, endpoint: ProviderEndpoint, words: Words): Promise<Answered> {
  const alone = (finding: Finding): Answered => ({ models: null, findings: [finding] })
  const { name, address } = words
  try {
    const { status, models } = await askForModels(outbound, endpoint)
    if ((status === 404 || status === 405) && (await knowsQuestions(outbound, endpoint))) {
      return alone(
        good(
          'upstream',
          `${name} answers questions, but has no list of models (${status}): those of the settings are offered`,
        ),
      )
    }
    if (status !== 200) return alone(ofStatus(status, endpoint, words))
    if (models === null)
      return alone(wrong('upstream', `${name} answers, but not as an OpenAI-compatible endpoint does`, address))
    return { models, findings: [] }
  } catch (cause) {
    if (!(cause instanceof OutboundFailure)) throw cause
    const { proxy } = endpoint
    const through = proxy === null ? '' : ` through the proxy ${new URL(proxy).host}`
    return alone(
      wrong(
        'upstream',
        `${name} cannot be reached (${cause.kind.replaceAll('_', ' ')})`,
        `See that it runs and that this machine can reach it${through}. ${address}`,
      ),
    )
  }
}

function ofStatus(status: number, { key }: ProviderEndpoint, words: Words): Finding {
  const { name } = words
  if (status === 401 || status === 403) {
    return wrong(
      'upstream',
      key === null ? `${name} wants a key and none is set` : `${name} does not accept the key (${status})`,
      words.key,
    )
  }
  if (status === 404 || status === 405)
    return wrong('upstream', `${name} has no list of models (${status})`, words.address)
  if (status === 429)
    return wrong(
      'upstream',
      'the account has no requests left at the moment (429)',
      'Wait, or look at the plan and the billing of the account.',
    )
  return wrong(
    'upstream',
    `${name} answers with status ${status}`,
    'Try again later; if it stays so, ask whoever runs the endpoint.',
  )
}

/** A model that is not listed is only reported: endpoints differ in what they list. */
function findingsOf(configuration: Configuration, base_url: string, listed: readonly ListedModel[]): Finding[] {
  const ids = new Set(listed.map(({ id }) => id))
  const offered = enabledModels(configuration, 'openai_api')
  const missing = offered
    .map(({ code }) => upstreamName(configuration, 'openai_api', code))
    .filter(name => name !== null && !ids.has(name) && !ids.has(`${name}:latest`))
  return [
    good('upstream', `${base_url} answers and lists ${listed.length} models`),
    good(
      'models',
      offered.length === 0
        ? 'none of them is offered; name those that are to be in openai_api.enabled_models'
        : `${offered.length} are offered`,
    ),
    ...(missing.length === 0
      ? []
      : [good('models', `not in its list, so asking them may fail: ${missing.join(', ')}`)]),
  ]
}
