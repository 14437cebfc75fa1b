import { Button, NativeSelect } from '@mantine/core'
import '@mantine/core/styles/Input.layer.css'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import type { UserKey } from '#contract/keys.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { IconPlus } from '#web/kit/icons.ts'
import { type KnownSecret, snippetFor } from './connection.ts'
import { FirstRequestStep } from './FirstRequestStep.tsx'
import { SnippetView } from './SnippetView.tsx'
import { TOOLS } from './tools/list.ts'
import { StatusLines } from './StatusLines.tsx'
import type { Tool } from './tools/tool.ts'
import { useToolModels } from './useToolModels.ts'
import styles from './keys.module.css'

type ConnectToolProps = { keys: readonly UserKey[]; secrets: readonly KnownSecret[]; onNew(): void }

/** Three steps: which key, what to paste, and one question to try it. */
export function ConnectTool({ keys, secrets, onNew }: ConnectToolProps) {
  const t = useTranslate()
  const { tool, choose } = useChosenTool()
  const models = useToolModels()
  const [chosen, setChosen] = useState<{ key: number; model: string }>({ key: 0, model: '' })
  const key = keys.find(({ id }) => id === chosen.key) ?? keys.find(({ id }) => id === secrets[0]?.id) ?? keys[0]
  if (key === undefined) return null
  const model = models.find(code => code === chosen.model) ?? models[0] ?? 'gpt-4o-mini'
  const secret = secrets.find(({ id }) => id === key.id)?.secret ?? null
  const { origin } = window.location
  const values = { address: origin, model, key, secret }
  const address = tool.dialect === 'messages' ? origin : `${origin}/v1`
  return (
    <section>
      <div className={styles.head}>
        <h2>{t('keys.connect')}</h2>
      </div>
      <div className={styles.connect}>
        <ToolList chosen={tool} keys={keys} onChoose={choose} />
        <ol className={styles.steps}>
          <li>
            <h3>{t('keys.step.key')}</h3>
            <div className={styles.selects}>
              <NativeSelect
                aria-label={t('keys.step.key')}
                value={String(key.id)}
                data={keys.map(({ id, name, ending }) => ({ value: String(id), label: `${name} …${ending}` }))}
                onChange={event => setChosen({ ...chosen, key: Number(event.currentTarget.value) })}
              />
              {models.length > 1 && (
                <NativeSelect
                  aria-label={t('keys.model')}
                  value={model}
                  data={[...models]}
                  onChange={event => setChosen({ ...chosen, model: event.currentTarget.value })}
                />
              )}
              <Button variant="subtle" color="gray" leftSection={<IconPlus size={14} aria-hidden />} onClick={onNew}>
                {t('keys.new')}
              </Button>
            </div>
          </li>
          <SnippetView tool={tool} snippet={snippetFor(tool, values)} />
          <FirstRequestStep key={key.id} {...{ keys, secret, address }} of={key} />
        </ol>
      </div>
      <StatusLines values={values} />
    </section>
  )
}

/** The choice is kept in the address. */
function useChosenTool(): { tool: Tool; choose(tool: Tool): void } {
  const search: { tool?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const tool = TOOLS.find(({ id }) => id === search.tool) ?? TOOLS[0]
  return { tool, choose: ({ id }) => void navigate({ to: '/keys', search: { tool: id }, replace: true }) }
}

type ToolListProps = { chosen: Tool; keys: readonly UserKey[]; onChoose(tool: Tool): void }

function ToolList({ chosen, keys, onChoose }: ToolListProps) {
  const t = useTranslate()
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = (TOOLS.indexOf(chosen) + step + TOOLS.length) % TOOLS.length
    onChoose(TOOLS[at] ?? chosen)
    event.currentTarget.querySelectorAll('button')[at]?.focus()
  }
  return (
    <div className={styles.tools} role="radiogroup" tabIndex={-1} aria-label={t('keys.tools')} onKeyDown={onKeyDown}>
      {TOOLS.map(tool => (
        <button
          key={tool.id}
          type="button"
          role="radio"
          aria-checked={tool === chosen}
          tabIndex={tool === chosen ? 0 : -1}
          data-testid="tool-choose"
          onClick={() => onChoose(tool)}
        >
          <span className={styles.mark} aria-hidden>
            {tool.mark}
          </span>
          <span>{tool.name}</span>
          {keys.some(({ last_tool }) => last_tool !== null && tool.isSeenAs.test(last_tool)) && (
            <small>{t('keys.connected')}</small>
          )}
        </button>
      ))}
    </div>
  )
}
