import { Popover } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import { useState } from 'react'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconChevronDown } from '#web/kit/icons.ts'
import { lazyComponent } from '#web/kit/lazyComponent.tsx'
import { InstructionLayers } from './InstructionLayers.tsx'
import { type ShownInstructions, tokensOfLayers, useInstructions } from './instructions.ts'
import styles from './instructions.module.css'

const OwnInstructionsDialog = lazyComponent(() =>
  import('./OwnInstructionsForm.tsx').then(module => module.OwnInstructionsDialog),
)

type LineProps = {
  /** Null while the conversation is not stored. */
  id: string | null
  /** Whether anything of it reaches the model: an upstream that keeps conversations has settings of its own. */
  isSent: boolean
}

/** Below the title: how much the model is told first. Opened, all of it, in the order in which the model gets it. */
export function InstructionsLine({ id, isSent }: LineProps) {
  const t = useTranslate()
  return isSent ? <OpenableLine id={id} /> : <span>{t('instructions.notSent')}</span>
}

function OpenableLine({ id }: Pick<LineProps, 'id'>) {
  const t = useTranslate()
  const [opened, setOpened] = useState(false)
  const [editsOwn, setEditsOwn] = useState(false)
  const closeEditor = () => setEditsOwn(false)
  const shown = useInstructions(id)
  if (shown === undefined) return null
  return (
    <>
      <Popover opened={opened} onChange={setOpened} position="bottom-start" offset={4} trapFocus returnFocus>
        <Popover.Target>
          <button
            type="button"
            className={styles.line}
            data-testid="instructions"
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            {lineText(t, shown)}
            <IconChevronDown size={13} aria-hidden />
          </button>
        </Popover.Target>
        <Popover.Dropdown className={styles.layers}>
          <InstructionLayers
            id={id}
            shown={shown}
            onEditOwn={() => {
              setOpened(false)
              setEditsOwn(true)
            }}
          />
        </Popover.Dropdown>
      </Popover>
      {editsOwn && <OwnInstructionsDialog onClose={closeEditor} onLoadError={closeEditor} />}
    </>
  )
}

function lineText(t: ReturnType<typeof useTranslate>, { sent, own, conversation }: ShownInstructions): string {
  const hasOwn = own.about_me + own.how_to_answer !== ''
  const count = sent.length
  if (hasOwn && own.is_on && conversation.with_own === false) return t('instructions.lineOwnOff', { count })
  return count === 0 ? t('instructions.none') : t('instructions.line', { count, tokens: tokensOfLayers(sent) })
}
