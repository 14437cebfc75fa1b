import { useState } from 'react'
import { pauseUpstream, removeUpstream, resumeUpstream, testUpstream, type UpstreamRead } from '#contract/upstreams.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { confirm } from '#web/kit/DialogHost.tsx'
import { keepUpstream, refreshUpstreams, useUpstreamName } from './queries.ts'

export type UpstreamActions = ReturnType<typeof useUpstreamActions>

/** The actions on a stored account or key. Each reports its failure. */
export function useUpstreamActions() {
  const t = useTranslate()
  const nameOf = useUpstreamName()
  const [tested, setTested] = useState<readonly number[]>([])

  async function test({ id }: Pick<UpstreamRead, 'id'>): Promise<void> {
    setTested(before => [...before, id])
    try {
      keepUpstream(await call(testUpstream, { params: { id: String(id) } }))
    } catch (error) {
      reportFailure(error)
    } finally {
      setTested(before => before.filter(each => each !== id))
    }
  }

  const change = async (work: () => Promise<UpstreamRead>): Promise<void> => {
    try {
      keepUpstream(await work())
      await refreshUpstreams()
    } catch (error) {
      reportFailure(error)
    }
  }

  return {
    isTested: (id: number): boolean => tested.includes(id),
    test,
    testAll: (upstreams: readonly UpstreamRead[]) => Promise.all(upstreams.map(test)),
    pause: ({ id }: UpstreamRead) => change(() => call(pauseUpstream, { params: { id: String(id) } })),
    resume: ({ id }: UpstreamRead) => change(() => call(resumeUpstream, { params: { id: String(id) } })),

    /** Asks for confirmation. True when it was removed. */
    async remove(upstream: UpstreamRead, conversations: number): Promise<boolean> {
      const name = nameOf(upstream)
      const isSure = await confirm({
        title: t('upstreams.remove.title', { name }),
        text:
          conversations === 0
            ? t('upstreams.remove.none')
            : t(`upstreams.remove.${upstream.source}`, { count: conversations }),
        verb: t('upstreams.remove.verb'),
        danger: true,
      })
      if (!isSure) return false
      try {
        await call(removeUpstream, { params: { id: String(upstream.id) } })
        toast.success(t('upstreams.removed', { name }))
        await refreshUpstreams()
        return true
      } catch (error) {
        reportFailure(error)
        return false
      }
    },
  }
}
