import { Button } from '@mantine/core'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Lamp } from '#web/kit/Lamp.tsx'
import { TerminalLines } from '#web/kit/TerminalLines.tsx'
import styles from './upstreams.module.css'

/** Only the demonstration answers: what to do, step by step. */
export function NothingSetUp({ onAdd }: { onAdd(): void }) {
  const t = useTranslate()
  return (
    <section className={styles.nothing}>
      <Lamp lit={false} />
      <h2>{t('upstreams.nothing')}</h2>
      <p>{t('upstreams.nothing.why')}</p>
      <ol>
        <li>
          <p>{t('upstreams.nothing.here')}</p>
          <Button size="xs" onClick={onAdd}>
            {t('upstreams.add')}
          </Button>
        </li>
        <li>
          <p>{t('upstreams.nothing.key')}</p>
          <TerminalLines text="OPENAI_API_KEY=sk-... npm start" />
        </li>
        <li>
          <p>{t('upstreams.nothing.address')}</p>
          <TerminalLines text="OPENAI_BASE_URL=http://127.0.0.1:11434/v1/ npm start" />
        </li>
      </ol>
    </section>
  )
}
