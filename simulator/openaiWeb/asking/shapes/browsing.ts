import type { Language } from '../../../answers/voice.ts'
import { called, citing, final, replied, type Shape, shortened } from './shape.ts'

type Page = { title: string; url: string; text: string }
type Texts = { pages: readonly [Page, Page, Page]; failed: string; answer: string }

const [GUIDE, DATA, FORUM] = [
  'https://guide.example/overview?from=search',
  'https://data.example/2026/figures',
  'https://forum.example/t/4711',
]

const TEXTS: Record<Language, Texts> = {
  chinese: {
    pages: [
      { title: '入门指南：先看这三点', url: GUIDE, text: '先弄清目标，再选方法；两步之间留出检查的时间。' },
      { title: '2026 年统计数据', url: DATA, text: '抽样 1,204 例，其中 68% 在两周内完成。' },
      { title: '论坛讨论：大家的做法', url: FORUM, text: '多数人从最小的一步开始。' },
    ],
    failed: '错误：页面响应超时',
    answer: `关于“{question}”，网上的资料大体一致：

1. **先定目标，再选方法**【0†source】，中间留出检查的时间。
2. 统计显示，**68%** 的人在两周内完成【1†source】。

| 来源 | 类型 | 更新 |
| :-- | :-- | --: |
| 入门指南 | 说明 | 2026 |
| 统计数据 | 数据 | 2026 |

总之，从最小的一步开始就好【0†source】。`,
  },
  english: {
    pages: [
      {
        title: 'A first guide: three things to know',
        url: GUIDE,
        text: 'Settle the aim first, then the method; leave time to check between the two.',
      },
      { title: 'Figures for 2026', url: DATA, text: 'Of 1,204 samples, 68 % were done within two weeks.' },
      { title: 'What others do: a discussion', url: FORUM, text: 'Most people begin with the smallest step.' },
    ],
    failed: 'Error: the page took too long to answer',
    answer: `About “{question}” the pages largely agree:

1. **Settle the aim first, then the method**【0†source】, and leave time to check.
2. The figures say that **68 %** are done within two weeks【1†source】.

| Source | Kind | Updated |
| :-- | :-- | --: |
| A first guide | advice | 2026 |
| Figures | data | 2026 |

In short: begin with the smallest step【0†source】.`,
  },
  malay: {
    pages: [
      {
        title: 'Panduan awal: tiga perkara penting',
        url: GUIDE,
        text: 'Tetapkan matlamat dahulu, kemudian kaedah; beri masa untuk semakan.',
      },
      { title: 'Angka bagi tahun 2026', url: DATA, text: 'Daripada 1,204 sampel, 68% siap dalam masa dua minggu.' },
      { title: 'Perbincangan: cara orang lain', url: FORUM, text: 'Kebanyakan orang bermula dengan langkah terkecil.' },
    ],
    failed: 'Ralat: halaman terlalu lambat menjawab',
    answer: `Tentang “{question}”, halaman-halaman itu bersetuju:

1. **Tetapkan matlamat dahulu, kemudian kaedah**【0†source】, dan beri masa untuk semakan.
2. Angka menunjukkan **68%** siap dalam dua minggu【1†source】.

Ringkasnya: mulakan dengan langkah terkecil【0†source】.`,
  },
}

/** Searches, opens a page that fails and two that do not, and answers with citations. */
export const browsing: Shape = context => {
  const { pages, failed, answer } = TEXTS[context.language]
  const [guide, data] = pages
  const query = shortened(context.question)
  const listed = pages.map(page => ({ type: 'webpage', ...page }))
  const _cite_metadata = { citation_format: { name: 'tether_og' }, metadata_list: listed, original_query: null }
  return [
    called(context, 'browser', `search("${query}")`),
    replied(
      context,
      'browser',
      {
        content_type: 'tether_browsing_display',
        result: pages.map(({ title, url }, at) => `# ${at}†${title}†${new URL(url).host}`).join('\n'),
        summary: null,
        assets: null,
      },
      { command: 'search', args: [query], status: 'finished', timestamp_: 'absolute', _cite_metadata },
    ),
    called(context, 'browser', 'click(2)'),
    replied(
      context,
      'browser',
      { content_type: 'system_error', name: 'tool_error', text: failed },
      { command: 'click', args: [2], status: 'failed' },
    ),
    called(context, 'browser', 'mclick([0, 1])'),
    ...[guide, data].map(page =>
      replied(
        context,
        'browser',
        { content_type: 'tether_quote', domain: new URL(page.url).host, ...page },
        { command: 'quote_result', args: [], status: 'finished', _cite_metadata },
      ),
    ),
    final(
      context,
      answer.replace('{question}', () => query),
      words =>
        citing(words, { '【0†source】': { type: 'webpage', ...guide }, '【1†source】': { type: 'webpage', ...data } }),
    ),
  ]
}
