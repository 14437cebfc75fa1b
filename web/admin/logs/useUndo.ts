import { useMutation } from '@tanstack/react-query'
import { undoAudit } from '#contract/audit.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'

export type Undo = { pending: number | null; undo(id: number): void }

/** Undoes a change of the audit. A refusal says who has changed the same since; either way the list is read again. */
export function useUndo(onSettled: () => void): Undo {
  const t = useTranslate()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (id: number) => call(undoAudit, { params: { id: String(id) } }),
    onSuccess: () => toast.success(t('audit.undo.done')),
    onError: reportFailure,
    onSettled,
  })
  return { pending: isPending ? variables : null, undo: id => mutate(id) }
}
