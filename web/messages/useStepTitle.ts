import { useTranslate } from '#web/i18n/useTranslate.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { actionsOf, type BrowsingAction } from './browsing.ts'
import type { Step } from './steps.ts'
import { drawnIn, pluginName, promptsOf } from './toolTexts.ts'

/** What was done, in a few words. */
export function useStepTitle(step: Step, running: boolean): string {
  return stepTitle(step, running, useTranslate())
}

export function stepTitle(step: Step, running: boolean, t: Translate): string {
  switch (step.kind) {
    case 'code':
      return codeTitle(step, running, t)
    case 'browsing':
      return browsingTitle(step, running, t)
    case 'files':
      return t(step.failed ? 'message.filesFailed' : running ? 'message.readingFiles' : 'message.readFiles')
    case 'plugin':
      return pluginTitle(step, running, t)
    case 'painting':
      return step.failed
        ? t('message.paintingFailed')
        : running
          ? t('message.painting')
          : t('message.painted', { count: promptsOf(step).length })
    case 'error':
      return t('message.toolFailed', { name: errorName(step) })
    case 'thoughts':
      return thoughtsTitle(step, running, t)
    case 'raw':
      return t('message.raw')
  }
}

function thoughtsTitle({ messages }: Step, running: boolean, t: Translate): string {
  if (running) return t('message.thinkingAloud')
  const content = messages.at(-1)?.content
  const seconds = content?.content_type === 'thoughts' ? content.seconds : null
  return seconds === null ? t('message.thought') : t('message.thoughtFor', { count: Math.max(1, Math.round(seconds)) })
}

function codeTitle(step: Step, running: boolean, t: Translate): string {
  if (step.recovered) return t('message.codeFailedRecovered')
  if (step.failed) return t('message.errorOutput')
  const answered = step.messages.some(({ role }) => role === 'tool')
  if (running && !answered) return t('message.writingCode')
  if (!answered) return t('message.wroteCode')
  const drawn = drawnIn(step).length
  return drawn > 0 ? t('message.ranCodeDrew', { count: drawn }) : t('message.ranCode')
}

function browsingTitle(step: Step, running: boolean, t: Translate): string {
  const actions = actionsOf(step.messages)
  const search = actions.find(action => action.kind === 'search')
  const pages = pagesIn(actions)
  if (step.failed && !running) return t('message.browsingFailed')
  if (running) return search === undefined ? t('message.browsing') : t('message.searching', { query: search.query })
  if (pages > 0) return t(search === undefined ? 'message.readPages' : 'message.searchedPages', { count: pages })
  return search === undefined ? t('message.browsed') : t('message.searched', { query: search.query })
}

function pagesIn(actions: readonly BrowsingAction[]): number {
  const opened = actions.filter(action => action.kind === 'open' || action.kind === 'quote')
  return new Set(opened.map(({ url, title }) => url ?? title)).size
}

function pluginTitle(step: Step, running: boolean, t: Translate): string {
  const name = pluginName(step) ?? t('message.unnamedTool')
  if (step.failed) return t('message.pluginFailed', { name })
  return t(running ? 'message.usingPlugin' : 'message.usedPlugin', { name })
}

function errorName({ messages }: Step): string {
  const content = messages[0]?.content
  return content?.content_type === 'system_error' ? content.name : ''
}
