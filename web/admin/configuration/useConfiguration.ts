import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readConfiguration } from '#contract/configuration/configuration.ts'
import { readCredentials, saveSettings } from '#contract/configuration/credentials.ts'
import { confirmAccount } from '#web/admin/upstreams/state/otherAccount.ts'
import { call, RefusedCall } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { bodyToSave, type Edit, edited, type Form, keptMine, newForm, rebased, undone } from './settings/form.ts'
import { CREDENTIAL, type Row, ROWS } from './settings/rows.ts'

export const configurationQuery = queryOptions({
  queryKey: ['configuration'],
  queryFn: ({ signal }) => call(readConfiguration, {}, { signal }),
  meta: { quiet: 'whileEmpty' },
})

export const credentialsQuery = queryOptions({
  queryKey: ['credentials'],
  queryFn: ({ signal }) => call(readCredentials, {}, { signal }),
  meta: { quiet: 'whileEmpty' },
})

/** Fetches the settings again, with what others have changed. */
export async function refreshSettings(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries(configurationQuery),
    queryClient.invalidateQueries(credentialsQuery),
  ])
}

export type ConfigurationForm = NonNullable<ReturnType<typeof useConfiguration>>

/**
 * The form and its actions; null while it is loading. Refetches when the window gets the focus, for what others have
 * changed. `onWrong` is called with the first setting that the server refuses.
 */
export function useConfiguration(onWrong: (path: string) => void) {
  const { data: read } = useQuery(configurationQuery)
  const { data: credentials } = useQuery(credentialsQuery)
  const [form, setForm] = useState<Form | null>(null)
  const { pending, save } = useSave(setForm, onWrong)
  if (read === undefined || credentials === undefined) return null
  const isCurrent = form?.base === read && form.secrets === credentials
  const current = form === null ? newForm(read, credentials) : isCurrent ? form : rebased(form, read, credentials)
  if (current !== form) setForm(current)
  const change = (next: (form: Form) => Form) => setForm(latest => next(latest ?? current))
  return {
    form: current,
    credentials,
    pending,
    edit: (row: Row, edit: Edit) => change(latest => edited(latest, row, edit)),
    undo: (path: string) => change(latest => undone(latest, path)),
    keepMine: (path: string) => change(latest => keptMine(latest, path)),
    discard: () => setForm(newForm(current.base, current.secrets)),
    save: () => save(current),
  }
}

const WEB_TOKEN = `${CREDENTIAL}openai_web_access_token`

/** Saves settings and credentials: all of them or none. A token of another account is confirmed first. */
function useSave(setForm: (next: (form: Form | null) => Form | null) => void, onWrong: (path: string) => void) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [pending, setPending] = useState(false)

  async function saveAll(form: Form): Promise<void> {
    const { configuration, credentials } = await call(saveSettings, { body: bodyToSave(form) })
    queries.setQueryData(configurationQuery.queryKey, configuration)
    queries.setQueryData(credentialsQuery.queryKey, credentials)
    setForm(() => newForm(configuration, credentials))
  }

  async function save(form: Form): Promise<void> {
    const edit = form.edits.get(WEB_TOKEN)
    const token = typeof edit === 'object' ? edit.value : null
    if (typeof token === 'string' && !(await confirmAccount(token, null))) return
    setPending(true)
    try {
      await saveAll(form)
      const restarts = restartsIn(form)
      toast.success(
        t('settings.saved', { count: form.edits.size }),
        restarts === 0 ? '' : t('settings.saved.restart', { count: restarts }),
      )
      await queries.invalidateQueries({ queryKey: ['portal'] })
    } catch (error) {
      if (!(error instanceof RefusedCall)) return reportFailure(error)
      const refused = refusedFields(error)
      const [first] = refused.keys()
      if (first === undefined) return reportFailure(error)
      // The fetched settings show which ones are in conflict.
      if (error.key === 'configurationConflict') await refreshSettings()
      else setForm(latest => latest && { ...latest, refused })
      onWrong(first)
    } finally {
      setPending(false)
    }
  }
  return { pending, save }
}

export function restartsIn({ edits }: Form): number {
  return ROWS.filter(({ path, restart }) => restart && edits.has(path)).length
}

/** The mistakes that the server found, by the path of their row. */
function refusedFields({ detail }: RefusedCall): Map<string, string> {
  const fields = detail.map(({ loc: [, ...path], msg }): [string, string] => [path.slice(0, 2).join('.'), msg])
  const known = new Set(ROWS.map(({ path }) => path))
  return new Map(
    fields
      .map(([path, msg]): [string, string] => [known.has(path) ? path : `${CREDENTIAL}${path}`, msg])
      .filter(([path]) => known.has(path)),
  )
}
