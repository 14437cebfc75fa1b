import type { TextsOf } from '#web/i18n/dictionary.ts'
import type { shell as zhCN } from '#web/i18n/zh-CN/admin/shell.ts'

export const shell: TextsOf<typeof zhCN> = {
  'admin.menu': 'Admin menu',
  'admin.openMenu': 'Open the admin menu',
  'admin.closeMenu': 'Close the admin menu',
  'admin.system': 'Overview',
  'admin.user': 'Users',
  'admin.conversation': 'Conversations',
  'admin.log': 'Logs',
  'admin.openai_settings': 'Account and plugins',
  'admin.config': 'Configuration',
  'admin.api': 'Browse the API',
  'planned.today': 'What works today',
  'planned.call': 'Call the API',
  'planned.command': 'Run on the server',
  'planned.user': 'Everybody will be listed here, with their rights, counts, time slots and validity to change.',
  'planned.conversation': 'Everybody’s conversations will be listed here, to assign, hide or remove for good.',
  'planned.log': 'The server log and the record of questions will be shown here.',
  'planned.openai_settings':
    'The plugins of the shared account will be managed here: install, uninstall, enable and disable.',
  'planned.config': 'All settings and secrets will be changed here, each with where its value comes from.',
}
