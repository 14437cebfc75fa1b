import type { ImportResult, ImportedConversation } from '#contract/transfer.ts'
import { signIn, type Person } from '#testing/person.ts'
import type { Account, Portal } from './startPortal.ts'

const PASSWORD = 'correct-horse-7'
const MINUTE = 60_000

const OWNERS = [
  ['zhouting', '周婷'],
  ['linxiaoyu', '林小雨'],
  ['meiling', 'Mei Ling'],
  ['chenjg', '陈建国'],
  ['hexm', '何小满'],
  ['zhouxz', '周小舟'],
] as const
const TITLES = [
  '外婆的体检报告怎么看',
  '显微镜数据的基线校正',
  'Rental agreement, plain English',
  '把会议录音整理成待办',
  '小学三年级：鸡兔同笼的三种讲法，各配两道练习和答案',
  '云南八天，不赶路的走法',
  '给物业写一封关于电梯的信',
  'Gulai ayam untuk 40 orang',
  '毕业论文第二章的结构',
  '路由器和光猫怎么接',
]
const NOBODYS = ['Résumé, two pages at most', '团购接龙的表格公式', null]

/**
 * People with conversations, and some that are nobody's, since their owner is gone. `mark` tells the titles of one
 * journey from those of another.
 */
export async function seedConversations(portal: Portal, admin: Account, mark = ''): Promise<void> {
  for (const [at, [username, nickname]] of OWNERS.entries()) {
    const person = await account(portal, admin, `${username}${mark}`, nickname)
    await admin.result('PATCH', `/user/${person.id}/setting`, { openai_api: { max_conv_count: at === 5 ? 5 : 10 } })
    await bring(person, TITLES.filter((_title, index) => index % 3 !== at % 3 || at > 3).slice(0, 4), mark, at * 40)
  }
  const gone = await account(portal, admin, `gone${mark}`, '已离开')
  await bring(gone, NOBODYS, mark, 30)
  await admin.result('DELETE', `/user/${gone.id}`)
}

async function account(portal: Portal, admin: Account, username: string, nickname: string): Promise<Person> {
  const about = { username, nickname, email: `${username}@example.org`, password: PASSWORD }
  await admin.result('POST', '/auth/register', about)
  return signIn(portal.url, username, PASSWORD)
}

/** As conversations from elsewhere, one an hour back from some minutes ago. */
async function bring(person: Person, titles: readonly (string | null)[], mark: string, minutes: number): Promise<void> {
  const conversations = titles.map((title, at): ImportedConversation => {
    const create_time = new Date(Date.now() - (minutes + at * 700) * MINUTE).toISOString()
    const question = crypto.randomUUID()
    return {
      id: crypto.randomUUID(),
      title: title === null ? null : `${title}${mark === '' ? '' : ` ${mark}`}`,
      create_time,
      update_time: new Date(Date.parse(create_time) + 5 * MINUTE).toISOString(),
      current_node: question,
      current_model: at % 3 === 2 ? 'gpt_3_5' : 'gpt_4',
      messages: [
        {
          id: question,
          parent: null,
          role: 'user',
          author_name: null,
          model: null,
          create_time,
          content: { content_type: 'text', text: title ?? '?' },
          metadata: null,
        },
      ],
    }
  })
  const { results } = await person.result<{ results: ImportResult[] }>('POST', '/conv/import', { conversations })
  if (results.some(({ outcome }) => outcome !== 'new')) throw new Error(`not imported: ${JSON.stringify(results)}`)
}
