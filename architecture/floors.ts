/**
 * The layers, lowest first. A folder may import from the floors below it, never from its own floor or above.
 * `server` and `web` stand for the files directly in them, where everything is put together.
 */
export const SERVER_FLOORS = [
  ['contract'],
  ['contract/configuration', 'contract/messageForms'],
  ['server/foundation'],
  ['server/foundation/database/schema'],
  [
    'server/foundation/database/sqlite',
    'server/foundation/database/postgresql',
    'server/foundation/database/migrations',
  ],
  ['server/foundation/database'],
  ['server/foundation/jobs'],
  ['server/foundation/search', 'server/foundation/http', 'server/foundation/outbound'],
  ['server/foundation/socket'],
  ['server/audit'],
  ['server/configuration'],
  ['server/providers'],
  ['server/upstreams/windows'],
  ['server/upstreams'],
  ['server/upstreams/settingsView', 'server/upstreams/prices'],
  ['server/usage'],
  ['server/policy'],
  ['server/users'],
  ['server/asks', 'server/instructions', 'server/invitations'],
  ['server/signIn'],
  ['server/sources'],
  ['server/files'],
  ['server/conversations'],
  ['server/conversations/administration', 'server/logs', 'server/statistics', 'server/notices'],
  ['server/sources/openai_web/conversations'],
  [
    'server/sources/openai_web/arkose',
    'server/sources/openai_web/files',
    'server/sources/openai_web/plugins',
    'server/sources/openai_web/sync',
  ],
  ['server/sources/openai_web'],
  ['server/sources/list'],
  ['server/limits'],
  ['server/shares'],
  ['server/asking/quiet'],
  ['server/asking'],
  ['server/status', 'server/users/administration', 'server/plans', 'server/usage/reports', 'server/keys'],
  ['server/gateway/dialects', 'server/gateway/translators'],
  ['server/gateway/refusals'],
  ['server/gateway'],
  ['server/commands'],
  ['server/commands/doctor'],
  ['server'],
]

export const WEB_FLOORS = [
  ['contract'],
  ['contract/configuration', 'contract/messageForms'],
  ['web/i18n'],
  ['web/foundation'],
  ['web/kit'],
  ['web/files'],
  ['web/sources'],
  // What pages of the admin area share, the parts that a source puts into them among it.
  ['web/admin/form'],
  ['web/admin/drawer'],
  ['web/admin/shell'],
  ['web/admin/table', 'web/admin/upstreams/state'],
  ['web/sources/openai_api', 'web/sources/openai_web'],
  ['web/sources/list'],
  ['web/reading', 'web/notices'],
  ['web/messages/markdown/math', 'web/messages/markdown/code'],
  ['web/messages/markdown/parser'],
  ['web/messages/markdown/blocks', 'web/messages/markdown/streaming'],
  ['web/messages/markdown'],
  ['web/instructions', 'web/prompts', 'web/usage', 'web/oversight'],
  ['web/shares'],
  ['web/keys/tools'],
  ['web/keys'],
  ['web/messages', 'web/users', 'web/offline'],
  ['web/attachments', 'web/invitations'],
  ['web/thread', 'web/transfer'],
  ['web/conversations'],
  ['web/asking/drafts'],
  ['web/asking/asks'],
  ['web/asking/conversation'],
  ['web/asking/composer', 'web/asking/queue'],
  ['web/asking/branches'],
  [
    'web/admin/range',
    'web/admin/plots',
    'web/lending',
    'web/admin/configuration/settings',
    'web/admin/plans/values',
    'web/admin/users/state',
  ],
  ['web/admin/configuration/controls', 'web/admin/upstreams/edit', 'web/admin/users/slots'],
  ['web/admin/plans/fields'],
  ['web/admin/users/edit'],
  ['web/admin/users/bulk'],
  ['web/admin/configuration', 'web/admin/conversations', 'web/admin/logs', 'web/admin/system'],
  ['web/admin/upstreams', 'web/admin/users', 'web/admin/plans', 'web/admin/prompts', 'web/admin/usage'],
  ['web/asking', 'web/history', 'web/admin'],
  ['web/firstPaint'],
  ['web/app'],
  ['web'],
]

export const SIMULATOR_FLOORS = [
  ['simulator/answers'],
  ['simulator/foundation'],
  ['simulator/openaiApi', 'simulator/openaiWeb/state'],
  ['simulator/openaiWeb/asking'],
  ['simulator/openaiWeb'],
  ['simulator'],
]

/** Folders beside the product: they test the program, start it, or stand in for what is outside of it. */
export const APART = ['architecture', 'bench', 'e2e', 'scripts', 'simulator', 'testing']

/** Exceptions: the server's top folder may start the demonstration upstream, and tests may use builders. */
const ALSO_ALLOWED: Record<string, string[]> = { server: ['simulator'] }
const ALLOWED_IN_TESTS = ['testing', 'simulator']

const ALL_FLOORS = [SERVER_FLOORS, WEB_FLOORS, SIMULATOR_FLOORS]
const FOLDERS = new Set(ALL_FLOORS.flat(2))

/** The folder of a file that stands on a floor or apart; null for a file in any other folder. */
export function folderOf(path: string): string | null {
  const [top = '', ...inner] = path.split('/').slice(0, -1)
  if (top === '') return null
  if (APART.includes(top) && !FOLDERS.has(top)) return top
  if (inner.length === 0) return FOLDERS.has(top) ? top : null
  // A folder within a room may have a floor of its own: the innermost that has one counts.
  const within = inner.map((_, at) => [top, ...inner.slice(0, at + 1)].join('/'))
  return within.findLast(folder => FOLDERS.has(folder)) ?? null
}

/** Whether a file may import another of ours. */
export function mayImport(importer: string, imported: string, isTest: boolean): boolean {
  const from = folderOf(importer)
  const to = folderOf(imported)
  // The version of the product stands in package.json alone.
  if (imported === 'package.json') return true
  if (from === null || to === null) return false
  if (from === to) return true
  if (isTest && ALLOWED_IN_TESTS.includes(to.split('/')[0] ?? '')) return true
  // A test may open the whole room: the folder that its own lies in, those within, and those beside.
  if (isTest && (from.startsWith(`${to}/`) || to.startsWith(`${from}/`) || roomOf(from) === roomOf(to))) return true
  if (ALSO_ALLOWED[from]?.includes(to)) return true
  return ALL_FLOORS.some(floors => floorOf(floors, to) >= 0 && floorOf(floors, to) < floorOf(floors, from))
}

/** The room of a folder: `web/messages` of `web/messages/markdown/math`. */
const roomOf = (folder: string): string => folder.split('/', 2).join('/')

function floorOf(floors: string[][], folder: string): number {
  return floors.findIndex(floor => floor.includes(folder))
}
