import { Textarea } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { roughTokens } from '#contract/context.ts'
import { MAX_INSTRUCTIONS } from '#contract/instructions.ts'
import { useChanges } from '#web/admin/form/useChanges.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { bodyToSave } from '../configuration/settings/form.ts'
import { configurationQuery, storeSettings } from '../configuration/useConfiguration.ts'
import { Conflicts, Drawer } from '../drawer/Drawer.tsx'
import { PORTAL_INSTRUCTIONS, portalInstructions } from './portalInstructions.ts'
import styles from './prompts.module.css'

type Fields = { [PORTAL_INSTRUCTIONS]: string | null }

/** What every model of an API is told first, which is a setting of the portal. */
export function InstructionsDrawer({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const { data } = useQuery(configurationQuery)
  const text = data === undefined ? null : portalInstructions(data)
  const stored = useMemo<Fields>(() => ({ [PORTAL_INSTRUCTIONS]: text }), [text])
  const changes = useChanges<Fields>({
    stored,
    async save(changed, expected) {
      await storeSettings(bodyToSave(changed, expected))
      void queryClient.invalidateQueries({ queryKey: ['instructions'] })
      toast.success(t('sharedPrompts.portalSaved'))
    },
    async reload() {
      const read = await queryClient.fetchQuery({ ...configurationQuery, staleTime: 0 })
      return { [PORTAL_INSTRUCTIONS]: portalInstructions(read) }
    },
  })
  const typed = changes.values[PORTAL_INSTRUCTIONS] ?? ''
  const variable =
    data?._origins[PORTAL_INSTRUCTIONS] === 'environment'
      ? (data._variables[PORTAL_INSTRUCTIONS] ?? 'COMMONS_PORTAL_INSTRUCTIONS')
      : null
  return (
    <Drawer
      head={{ title: t('sharedPrompts.portal'), context: t('sharedPrompts.portalContext') }}
      saving={changes}
      onClose={onClose}
    >
      <Conflicts
        changes={changes}
        labelOf={() => t('sharedPrompts.portal')}
        show={(_name, value) => (typeof value === 'string' ? value : '–')}
      />
      <Textarea
        autosize
        minRows={6}
        maxRows={20}
        aria-label={t('sharedPrompts.portal')}
        data-testid="portal-instructions-text"
        disabled={variable !== null}
        maxLength={MAX_INSTRUCTIONS}
        value={typed}
        onChange={event => changes.change({ [PORTAL_INSTRUCTIONS]: event.currentTarget.value || null })}
      />
      <p className={styles.below}>
        {variable !== null && t('settings.from.locked', { variable })}
        {typed !== '' && <span>{t('sharedPrompts.tokens', { tokens: roughTokens(typed) })}</span>}
      </p>
    </Drawer>
  )
}
