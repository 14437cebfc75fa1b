import { useEffect, useRef, useState } from 'react'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { listQuery } from '../useConversations.ts'
import { importFile, type ImportProgress } from './importFile.ts'
import { type ImportReason, UnreadableFile } from './importReasons.ts'
import type { Tally } from './tally.ts'

type ImportState =
  | { phase: 'choosing' }
  | { phase: 'reading' }
  | { phase: 'sending'; progress: ImportProgress }
  | { phase: 'done'; tally: Tally }
  | { phase: 'failed'; reason: ImportReason; product: string | null }

export function useImport() {
  const [state, setState] = useState<ImportState>({ phase: 'choosing' })
  const running = useRef<AbortController | null>(null)
  // A dialog that is closed stops what it has begun.
  useEffect(() => () => running.current?.abort(), [])

  const begin = async (file: File) => {
    const controller = new AbortController()
    running.current = controller
    setState({ phase: 'reading' })
    try {
      const tally = await importFile(file, progress => setState({ phase: 'sending', progress }), controller.signal)
      const nothing =
        controller.signal.aborted && tally.left === 0 && Object.values(tally.counts).every(count => count === 0)
      setState(nothing ? { phase: 'choosing' } : { phase: 'done', tally })
    } catch (error) {
      const { reason, product } = error instanceof UnreadableFile ? error : new UnreadableFile('transfer.no.notSent')
      setState({ phase: 'failed', reason, product })
      if (!(error instanceof UnreadableFile)) reportFailure(error)
    } finally {
      void queryClient.invalidateQueries(listQuery)
      void queryClient.invalidateQueries({ queryKey: ['conversation'] })
      void queryClient.invalidateQueries({ queryKey: ['search'] })
    }
  }

  return { state, begin: (file: File) => void begin(file), cancel: () => running.current?.abort() }
}
