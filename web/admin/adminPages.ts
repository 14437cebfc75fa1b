import { lazyRouteComponent } from '@tanstack/react-router'
import type { PlainKey } from '#web/i18n/dictionary.ts'
import { loadTexts } from '#web/i18n/useTranslate.ts'
import {
  IconAdjustmentsHorizontal,
  IconAlignLeft,
  IconChartBar,
  IconGauge,
  IconKey,
  IconList,
  IconMessage,
  IconStack2,
  IconUsers,
} from '#web/kit/icons.ts'

/**
 * An admin page is one line here: menu, route and guard follow from it. Paths and names: the specification, section 2.
 */
export const ADMIN_PAGES = [
  {
    path: 'system',
    name: 'systemManagement',
    short: 'system',
    title: 'admin.system',
    icon: IconGauge,
    screen: lazyRouteComponent(() => import('./system/SystemScreen.tsx'), 'SystemScreen'),
  },
  {
    path: 'user',
    name: 'userManagement',
    short: 'user',
    title: 'admin.user',
    icon: IconUsers,
    screen: lazyRouteComponent(() => import('./users/UsersScreen.tsx'), 'UsersScreen'),
    rows: () => import('./users/UsersScreen.tsx'),
  },
  {
    path: 'plan',
    name: 'planManagement',
    short: 'plan',
    title: 'admin.plan',
    icon: IconStack2,
    screen: lazyRouteComponent(() => import('./plans/PlansScreen.tsx'), 'PlansScreen'),
  },
  {
    path: 'conversation',
    name: 'conversationManagement',
    short: 'conversation',
    title: 'admin.conversation',
    icon: IconMessage,
    screen: lazyRouteComponent(() => import('./conversations/ConversationsScreen.tsx'), 'ConversationsScreen'),
    rows: () => import('./conversations/ConversationsScreen.tsx'),
  },
  {
    path: 'usage',
    name: 'usage',
    short: 'usage',
    title: 'admin.usage',
    icon: IconChartBar,
    screen: lazyRouteComponent(
      () => Promise.all([import('./usage/UsageScreen.tsx'), loadTexts('usage')]).then(([module]) => module),
      'UsageScreen',
    ),
  },
  {
    path: 'log',
    name: 'logViewer',
    short: 'log',
    title: 'admin.log',
    icon: IconList,
    screen: lazyRouteComponent(() => import('./logs/LogsScreen.tsx'), 'LogsScreen'),
    rows: () => import('./logs/LogsScreen.tsx'),
  },
  {
    path: 'openai_settings',
    name: 'openaiSettings',
    short: 'account',
    title: 'admin.openai_settings',
    icon: IconKey,
    screen: lazyRouteComponent(() => import('./upstreams/UpstreamsScreen.tsx'), 'UpstreamsScreen'),
  },
  {
    path: 'prompts',
    name: 'promptManagement',
    short: 'prompts',
    title: 'admin.prompts',
    icon: IconAlignLeft,
    screen: lazyRouteComponent(
      () => Promise.all([import('./prompts/PromptsScreen.tsx'), loadTexts('instructions')]).then(([module]) => module),
      'PromptsScreen',
    ),
  },
  {
    path: 'config',
    name: 'configManagement',
    short: 'config',
    title: 'admin.config',
    icon: IconAdjustmentsHorizontal,
    screen: lazyRouteComponent(() => import('./configuration/ConfigurationScreen.tsx'), 'ConfigurationScreen'),
  },
] as const satisfies readonly {
  path: string
  name: string
  /** For `data-testid`. */
  short: string
  title: PlainKey
  icon: unknown
  screen: unknown
  /** For a page with a list: prefetches its rows while the page is loading. */
  rows?: () => Promise<{ askForRows(search: Readonly<Record<string, unknown>>): void }>
}[]

export const ADMIN_PATHS: readonly string[] = ADMIN_PAGES.map(({ path }) => `/admin/${path}`)
