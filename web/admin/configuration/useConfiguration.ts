import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readConfiguration } from '#contract/configuration/configuration.ts'
import { readCredentials, type SavedSettings, saveSettings } from '#contract/configuration/credentials.ts'
import { useChanges } from '#web/admin/form/useChanges.ts'
import { confirmAccount } from '../upstreams/state/queries.ts'
import { call } from '#web/foundation/call.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { bodyToSave, type Fields, fieldsOf, isSameSetting, refusedRows, type SettingsForm } from './settings/form.ts'
import { CREDENTIAL, ROWS } from './settings/rows.ts'

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
export async function refreshSettings(): Promise<Fields> {
  const read = Promise.all([
    queryClient.fetchQuery({ ...configurationQuery, staleTime: 0 }),
    queryClient.fetchQuery({ ...credentialsQuery, staleTime: 0 }),
  ])
  return fieldsOf(...(await read))
}

/** Stores settings and credentials: all of them or none. */
export async function storeSettings(body: SavedSettings): Promise<void> {
  await call(saveSettings, { body })
  void queryClient.invalidateQueries({ queryKey: ['portal'] })
}

const NONE: Fields = {}
const WEB_TOKEN = `${CREDENTIAL}openai_web_access_token`

const isRestart = (path: string): boolean => ROWS.some(row => row.path === path && row.restart)

export const restartsIn = (form: SettingsForm): number =>
  ROWS.filter(({ path, restart }) => restart && form.isChanged(path)).length

/**
 * The form of the settings; null while they are loading. Refetches when the window gets the focus, for what others have
 * changed. `onRefused` is called with the first setting that the server refuses. A token of another account is
 * confirmed first.
 */
export function useConfiguration(onRefused: (path: string) => void): SettingsForm | null {
  const t = useTranslate()
  const { data: base } = useQuery(configurationQuery)
  const { data: secrets } = useQuery(credentialsQuery)
  const stored = useMemo(() => (base && secrets ? fieldsOf(base, secrets) : NONE), [base, secrets])
  const form = useChanges<Fields>({
    stored,
    isSame: (mine, saved, path) => isSameSetting(base, mine, saved, path),
    async save(changed, expected) {
      await storeSettings(bodyToSave(changed, expected))
      const paths = Object.keys(changed)
      const restarts = paths.filter(isRestart).length
      toast.success(
        t('settings.saved', { count: paths.length }),
        restarts === 0 ? '' : t('settings.saved.restart', { count: restarts }),
      )
    },
    reload: refreshSettings,
    refusedFields: ({ detail }) => refusedRows(detail),
    onRefused,
  })
  if (base === undefined || secrets === undefined) return null
  const token = form.isChanged(WEB_TOKEN) ? String(form.values[WEB_TOKEN]) : ''
  return { ...form, base, secrets, save: async () => (await confirmAccount(token, null)) && form.save() }
}
