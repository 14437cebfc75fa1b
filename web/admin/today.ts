import type { AdminPage } from './adminPages.ts'

type PlannedPage = Exclude<AdminPage['name'], 'systemManagement'>

/** Commands and API calls that do the work of the pages that are not built yet. */
export const TODAY: Record<PlannedPage, { commands: readonly string[]; calls: readonly string[] }> = {
  userManagement: {
    commands: ['list-users', 'create-admin <user name>', 'reset-password <user name>', 'end-sessions <user name>'],
    calls: [
      'GET /api/user',
      'POST /api/auth/register',
      'PATCH /api/user/:id',
      'PATCH /api/user/:id/setting',
      'DELETE /api/user/:id',
    ],
  },
  conversationManagement: {
    commands: [],
    calls: ['GET /api/conv/all', 'PATCH /api/conv/:id/assign/:user', 'DELETE /api/conv/:id/vanish'],
  },
  logViewer: { commands: ['doctor'], calls: [] },
  openaiSettings: { commands: [], calls: ['GET /api/system/credentials', 'PUT /api/system/credentials'] },
  configManagement: {
    commands: ['doctor'],
    calls: ['GET /api/system/config', 'PUT /api/system/config', 'PUT /api/system/credentials'],
  },
}
