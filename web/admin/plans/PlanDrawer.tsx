import { TextInput } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useState } from 'react'
import type { PlanPreview } from '#contract/planPeople.ts'
import { createPlan, DEFAULT_PLAN, type Plan } from '#contract/plans.ts'
import { Conflicts, Drawer } from '#web/admin/drawer/Drawer.tsx'
import { DrawerRow } from '#web/admin/drawer/rows.tsx'
import type { Saving } from '#web/admin/form/useChanges.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { queryClient } from '#web/foundation/queryClient.ts'
import { toast } from '#web/foundation/toasts.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconButton } from '#web/kit/IconButton.tsx'
import { IconChevronLeft, IconCopy, IconTrash } from '#web/kit/icons.ts'
import { EffectPreview, type Sparing, useSparing } from './EffectPreview.tsx'
import { copyOf } from './fields/planDraft.ts'
import type { ParentOption } from './fields/FieldRow.tsx'
import { isOfOneModel } from './fields/LimitList.tsx'
import { LimitsTab } from './LimitsTab.tsx'
import { ModelsTab } from './ModelsTab.tsx'
import { UseTab } from './UseTab.tsx'
import { type PlanForm, usePlanForm } from './usePlanForm.ts'
import { usePlanName } from './values/Origin.tsx'
import { identityOf, inTree, isLimitField, peopleBelow, plansQuery } from './values/plans.ts'
import { useFieldNames } from './fields/useFieldNames.ts'

const TABS = ['limits', 'models', 'use'] as const
type Tab = (typeof TABS)[number]

type PlanDrawerProps = {
  plan: Plan
  plans: readonly Plan[]
  onOpen(id: number): void
  onRemove(): void
  onClose(): void
}

/** One plan: its limits, models and the rest; before it is saved, whom that reaches. */
export function PlanDrawer({ plan, plans, onOpen, onRemove, onClose }: PlanDrawerProps) {
  const t = useTranslate()
  const form = usePlanForm(plan, plans)
  const [tab, setTab] = useState<Tab>('limits')
  const [asked, setAsked] = useState(false)
  const effect = asked ? form.effect : null
  const planName = usePlanName()
  const sparing = useSparing(effect)
  const names = useFieldNames()
  const isAsking = effect !== null
  const back = () => setAsked(false)
  return (
    <Drawer
      head={{
        title: isAsking ? t('plans.effect') : planName(plan),
        context: isAsking ? undefined : <PlanContext plan={plan} plans={plans} />,
        picture: isAsking ? <BackButton onClick={back} /> : undefined,
        actions:
          isAsking || plan.id === DEFAULT_PLAN ? undefined : (
            <>
              <CopyButton plan={plan} onMade={onOpen} />
              <RemoveButton onClick={onRemove} />
            </>
          ),
      }}
      tabs={
        isAsking
          ? undefined
          : {
              entries: TABS.map(key => ({ key, label: t(`plans.tab.${key}`), count: countOf(form, key) })),
              chosen: tab,
              onChoose: key => setTab(TABS.find(each => each === key) ?? 'limits'),
            }
      }
      saving={useSaving(form, { effect, sparing, onAsk: () => setAsked(true), onBack: back })}
      onClose={onClose}
    >
      <Conflicts changes={form.changes} labelOf={names.nameText} show={names.valueText} />
      {effect === null ? (
        <PlanTab tab={tab} form={form} parents={parentsOf(plan, plans, planName)} />
      ) : (
        <EffectPreview effect={effect} sparing={sparing} />
      )}
    </Drawer>
  )
}

function PlanTab({ tab, form, parents }: { tab: Tab; form: PlanForm; parents: readonly ParentOption[] }) {
  switch (tab) {
    case 'limits':
      return (
        <>
          <NameRow form={form} />
          <LimitsTab form={form} />
        </>
      )
    case 'models':
      return <ModelsTab form={form} />
    case 'use':
      return <UseTab form={form} parents={parents} />
  }
}

function NameRow({ form: { changes } }: { form: PlanForm }) {
  const t = useTranslate()
  const name = changes.values.name
  return (
    <DrawerRow label={t('plans.name')} changed={changes.isChanged('name')}>
      {id => (
        <TextInput
          id={id}
          size="xs"
          maxLength={64}
          value={typeof name === 'string' ? name : ''}
          error={name === '' ? t('plans.nameMissing') : undefined}
          onChange={event => changes.change({ name: event.currentTarget.value })}
        />
      )}
    </DrawerRow>
  )
}

function PlanContext({ plan, plans }: { plan: Plan; plans: readonly Plan[] }) {
  const t = useTranslate()
  const planName = usePlanName()
  const below = peopleBelow(plans, plan.id)
  const parent = plans.find(({ id }) => id === plan.parent_id)
  const people =
    below === 0 ? t('plans.people', { count: plan.people }) : t('plans.peopleBelow', { count: plan.people, below })
  return parent === undefined ? people : t('plans.contextOf', { people, parent: planName(parent) })
}

function BackButton({ onClick }: { onClick(): void }) {
  const t = useTranslate()
  return (
    <IconButton label={t('plans.back')} onClick={onClick}>
      <IconChevronLeft size={18} aria-hidden />
    </IconButton>
  )
}

/** Makes a plan of the same values, with nobody in it. */
function CopyButton({ plan, onMade }: { plan: Plan; onMade(id: number): void }) {
  const t = useTranslate()
  const [pending, setPending] = useState(false)
  const copy = async () => {
    setPending(true)
    try {
      const made = await call(createPlan, { body: copyOf(plan, t('plans.copyOf', { name: plan.name })) })
      await queryClient.invalidateQueries(plansQuery)
      toast.success(t('plans.copied', { name: made.name }))
      onMade(made.id)
    } catch (error) {
      reportFailure(error)
    }
    setPending(false)
  }
  return (
    <IconButton label={t('plans.copy')} disabled={pending} onClick={() => void copy()}>
      <IconCopy size={16} aria-hidden />
    </IconButton>
  )
}

function RemoveButton({ onClick }: { onClick(): void }) {
  const t = useTranslate()
  return (
    <IconButton label={t('plans.delete')} onClick={onClick}>
      <IconTrash size={16} aria-hidden />
    </IconButton>
  )
}

type Asking = { effect: PlanPreview | null; sparing: Sparing; onAsk(): void; onBack(): void }

/** Saves at once when nobody is blocked; otherwise it is shown first who would be. */
function useSaving(form: PlanForm, { effect, sparing, onAsk, onBack }: Asking): Saving {
  const t = useTranslate()
  const { changes } = form
  const blocked = form.effect?.blocked.length ?? 0
  if (effect !== null)
    return {
      ...changes,
      discard: onBack,
      save: async () => {
        const saved = await form.saveAnyway(sparing.chosen)
        onBack()
        return saved
      },
      adding: { note: t('plans.effect.note'), verb: t('drawer.save'), cancel: t('plans.back') },
    }
  const save = async () => {
    const outcome = await form.save()
    if (outcome === 'asks') onAsk()
    return outcome === 'saved'
  }
  if (blocked === 0 || changes.count === 0) return { ...changes, save }
  const note = t('plans.willBlock', { changes: changes.count, count: blocked })
  return { ...changes, save, adding: { note, verb: t('plans.seeEffect'), cancel: t('drawer.discard') } }
}

/** Every plan but this one and those below it. */
function parentsOf(plan: Plan, plans: readonly Plan[], nameOf: (plan: Plan) => string): ParentOption[] {
  const isBelow = (id: number | null): boolean =>
    id !== null && (id === plan.id || isBelow(plans.find(each => each.id === id)?.parent_id ?? null))
  return inTree(plans)
    .filter(({ plan: { id } }) => !isBelow(id))
    .map(({ plan: each }) => ({ value: String(each.id), label: nameOf(each) }))
}

/** How many changes a tab has. */
function countOf({ changes: { changed } }: PlanForm, tab: Tab): number {
  return changed.filter(name => tabOf(name) === tab).length
}

function tabOf(name: string): Tab {
  if (isLimitField(name)) return isOfOneModel(identityOf(name)) ? 'models' : 'limits'
  if (name.endsWith('.available_models')) return 'models'
  return ['name', 'share_weight', 'may_borrow'].includes(name) ? 'limits' : 'use'
}
