import type { Configuration } from '#contract/configuration.ts'
import { sharedProxy } from '#server/configuration/environmentProxy.ts'
import { type ListedModel, withListedModels } from '#server/configuration/listedModels.ts'
import { enabledModels, upstreamName } from '#server/configuration/models.ts'
import { type Outbound, OutboundFailure } from '#server/foundation/outbound/outbound.ts'
import { askForModels, knowsQuestions } from '#server/providers/openai_api/modelList.ts'
import { OPENAI_BASE_URL } from '#server/upstreams/endpoints.ts'
import { type Finding, good, wrong } from './finding.ts'

const ADDRESS = 'Look at openai_api.openai_base_url (OPENAI_BASE_URL): it goes as far as /v1/.'
const KEY = 'Look at the key (OPENAI_API_KEY, or the credentials on the administrators’ page).'

type Connection = {
  configuration: Configuration
  key: string | null
  outbound: Outbound
  env: NodeJS.ProcessEnv
  /** Whether an administrator has chosen the models. */
  picked: boolean
}

/** Requests the endpoint's models in the way an ask would be sent. */
export async function checkUpstream({ configuration, key, outbound, env, picked }: Connection): Promise<Finding[]> {
  const { openai_api } = configuration
  if (!openai_api.enabled) return [good('upstream', 'openai_api is switched off')]
  if (openai_api.openai_base_url === null && key === null) {
    return [
      good('upstream', 'the built-in demonstration answers; OPENAI_API_KEY or OPENAI_BASE_URL connects a real one'),
    ]
  }
  const base_url = openai_api.openai_base_url ?? OPENAI_BASE_URL
  const proxy = sharedProxy(env, openai_api.proxy, base_url)
  try {
    const endpoint = { base_url, key, key_header: openai_api.key_header || null, proxy, addresses: 'any' as const }
    const { status, models } = await askForModels(outbound, endpoint)
    if ((status === 404 || status === 405) && (await knowsQuestions(outbound, endpoint))) {
      return [
        good(
          'upstream',
          `${base_url} answers questions, but has no list of models (${status}): those of the settings are offered`,
        ),
      ]
    }
    if (status !== 200) return [ofStatus(status, base_url, key)]
    if (models === null)
      return [wrong('upstream', `${base_url} answers, but not as an OpenAI-compatible endpoint does`, ADDRESS)]
    return findingsOf(withListedModels(configuration, models, picked), base_url, models)
  } catch (cause) {
    if (!(cause instanceof OutboundFailure)) throw cause
    return [
      wrong(
        'upstream',
        `${base_url} cannot be reached (${cause.kind.replaceAll('_', ' ')})`,
        `See that it runs and that this machine can reach it${proxy === null ? '' : ` through the proxy ${new URL(proxy).host}`}. ${ADDRESS}`,
      ),
    ]
  }
}

function ofStatus(status: number, base_url: string, key: string | null): Finding {
  if (status === 401 || status === 403) {
    return wrong(
      'upstream',
      key === null ? `${base_url} wants a key and none is set` : `${base_url} does not accept the key (${status})`,
      KEY,
    )
  }
  if (status === 404 || status === 405)
    return wrong('upstream', `${base_url} has no list of models (${status})`, ADDRESS)
  if (status === 429)
    return wrong(
      'upstream',
      'the account has no requests left at the moment (429)',
      'Wait, or look at the plan and the billing of the account.',
    )
  return wrong(
    'upstream',
    `${base_url} answers with status ${status}`,
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
