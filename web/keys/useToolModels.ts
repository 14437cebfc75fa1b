import { usePortal } from '#web/foundation/portal.ts'
import { useSession } from '#web/foundation/session.ts'

/** Models that one may ask with a key: those of accounts with an interface. */
export function useToolModels(): readonly string[] {
  const portal = usePortal()
  const { user } = useSession()
  const allowed = user?.setting.openai_api.available_models ?? []
  const offered = portal?.models.filter(({ source }) => source === 'openai_api').map(({ code }) => code) ?? []
  return offered.filter(code => allowed.includes(code))
}
