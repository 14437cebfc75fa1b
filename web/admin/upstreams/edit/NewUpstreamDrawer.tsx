import { SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { useEffect, useState } from 'react'
import { type Source, SOURCES } from '#contract/models.ts'
import { addUpstream } from '#contract/upstreams.ts'
import { call } from '#web/foundation/call.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Drawer } from '../../drawer/Drawer.tsx'
import { DrawerFact } from '../../drawer/rows.tsx'
import { useChanges } from '#web/admin/form/useChanges.ts'
import { keepUpstream, refreshUpstreams } from '../state/queries.ts'
import { BLANK, type Fields, mistakesIn, sentOf } from './fields.ts'
import { AccountWindows } from './AccountWindows.tsx'
import { AccountCapacity } from './SharingTab.tsx'
import { ConnectionFields, FurtherFields, ModelFields } from './UpstreamForm.tsx'
import { useConnectionTest } from './useConnectionTest.ts'

/** A further account or key. It can be tested before it is added. */
export function NewUpstreamDrawer({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const [source, setSource] = useState<Source>('openai_api')
  const form = useNewForm(source, onClose)
  const connectionTest = useConnectionTest(source, form.values, null)
  const parts = { form, connectionTest, source, upstream: null }
  return (
    <Drawer
      head={{ title: t('upstreams.add'), context: t('upstreams.sealed'), isNew: true }}
      saving={{
        ...form,
        discard: onClose,
        adding: { note: t('upstreams.add.note'), verb: t('upstreams.add'), cancel: t('kit.cancel') },
      }}
      onClose={onClose}
    >
      <DrawerFact label={t('upstreams.kind')}>
        <SegmentedControl
          fullWidth
          aria-label={t('upstreams.kind')}
          value={source}
          data={SOURCES.map(each => ({ value: each, label: t(`upstreams.kind.${each}`) }))}
          onChange={value => setSource(value as Source)} // one of SOURCES
        />
      </DrawerFact>
      <ConnectionFields {...parts} asksForKey={false} />
      <AccountCapacity form={form} />
      <AccountWindows form={form} source={source} upstream={null} />
      <ModelFields {...parts} />
      <FurtherFields form={form} />
    </Drawer>
  )
}

function useNewForm(source: Source, onClose: () => void) {
  const t = useTranslate()
  const [isAdded, setAdded] = useState(false)
  const form = useChanges<Fields>({
    stored: BLANK,
    wrong: values => mistakesIn(values, false, source).length,
    async save(_changed, _expected) {
      const { label, ...fields } = sentOf(form.values)
      const added = await call(addUpstream, { body: { ...fields, label: label ?? '', source } })
      keepUpstream(added)
      toast.success(t('upstreams.added', { name: added.label }))
      setAdded(true)
    },
    async reload() {
      await refreshUpstreams()
      return BLANK
    },
  })
  const isDone = isAdded && form.count === 0
  // Closing asks for confirmation while something is not stored.
  useEffect(() => {
    if (isDone) onClose()
  }, [isDone, onClose])
  return form
}
