import type { FastifyRequest } from 'fastify'
import type { Allowance } from '#contract/allowance.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { jsonAnswer, type HttpAnswer, textAnswer } from '#server/foundation/http/route.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { FoundKey } from '#server/keys/keys.ts'
import { listedModels, modelList, modelsOf, oneModel, SOURCE } from './models.ts'
import type { ReadUsage } from './usage.ts'
import { usageLine } from './usageText.ts'

export type ReadingDependencies = {
  upstreams: { configuration(): Configuration }
  allowance(user_id: number): Promise<Allowance>
  toolUsage: ReadUsage
}

type Read = (request: Pick<FastifyRequest, 'url' | 'headers'>, who: FoundKey) => Promise<HttpAnswer>

/** What tools read of their person: the models that may be asked, and what is left. */
export function reading({ upstreams, allowance, toolUsage }: ReadingDependencies) {
  async function models({ caller, user }: FoundKey) {
    const { sources } = await allowance(user.id)
    const of = sources.find(({ source }) => source === SOURCE)
    return of === undefined ? [] : listedModels(upstreams.configuration(), of, caller)
  }

  const listModels: Read = async (_request, who) => jsonAnswer(200, modelList(await models(who)))

  const readModel: Read = async ({ url }, who) => {
    const name = nameIn(url)
    const model = oneModel(upstreams.configuration(), await models(who), name)
    if (model !== null) return jsonAnswer(200, model)
    const known = modelsOf(upstreams.configuration(), who.caller).join(', ')
    throw new Refusal('modelNotEnabled', { model: name, models: known })
  }

  /** As a line of text for whoever wants nothing else, such as the status line of a terminal. */
  const readUsage: Read = async ({ headers }, { user, caller }) => {
    const [{ now, time_zone }, windows] = await Promise.all([allowance(user.id), toolUsage(caller)])
    if (headers.accept === 'text/plain') return textAnswer(200, usageLine(windows, { now: Date.parse(now), time_zone }))
    return jsonAnswer(200, { object: 'usage', now, time_zone, windows })
  }
  return { listModels, readModel, readUsage }
}

/** Names of models have slashes in them. */
function nameIn(url: string): string {
  const [path = ''] = url.split('?', 1)
  try {
    return decodeURIComponent(path.slice('/v1/models/'.length)).slice(0, 200)
  } catch {
    return ''
  }
}
