import type { Nodes } from 'mdast'
import { describe, expect, test } from 'vitest'
import { parse } from '../parser/parse.ts'
import { incrementalParser } from '../streaming/incrementalParser.ts'

function formulasIn(node: Nodes): string[] {
  if (node.type === 'mathematics') return [node.value]
  return 'children' in node ? node.children.flatMap(formulasIn) : []
}

const PRICES = [
  '$1,000-$2,000; 1000$-2000$',
  '每月$20/人，或者20$/月',
  '$10-$20, 30$-40$',
  '$10~$20，30$~40$',
  '$5到$10，15$到20$',
  'Price: $10 - $20, 30$ - 40$',
  '$10 to $20; 30$ to 40$',
  '$1.5k–$2k; 1500$–2000$',
  '$1M-$5M; 1M$-5M$',
  '$20→$30, 20$→30$',
  'US$1,000-US$2,000; A$150/B$200; HK$780, NT$3000',
  '€100-$120; 100€-120$',
  '每年$200/户，或者200$/年；每人$20，每组100$',
  '每月$20一人，或者20$一月。月付$20、年付200$',
  '首月$9，次月起19$',
  '每月20$到30$/人，20$／人',
  '单价$3.2/斤，合计32$',
  '$20=¥145，20$=145¥',
  '$100, $200, 300$, 400$',
  '$20×12=$240，20$×12=240$',
  '50 $ - 60 $ or 50 $, 60 $',
  '$.50-$.75',
  '$2,000+; 2000$+',
  '输入$0.5/1M tokens，输出$1.5/1M tokens',
  '免费$0，专业版$20，团队版$25/人',
  'Free: $0 Pro: $20 Team: $25/user/month',
]

const NAMES = [
  'Summer$2024$Winter',
  'the password Welcome$2025$!',
  'My$ecret$Pass1 or pa$$word or P@$$w0rd',
  'Hello$World$2024',
  'price$10$off',
  'Outer$Inner$1 and lambda$main$0',
  'LC$A LC$B, V$SESSION and V$LOCK',
  'user$.pipe(map(x => x)); name$ and this.user$.subscribe(); this.name$',
  'cost$=5;price$=6',
  "sed 's/a$/b/; s/c$/d/'",
  '`${x}` costs; ${USER}-${HOST}, {{ $x }} {{ $y }}',
  "$('#id').hide(); $('.x').show(); $.get(b)",
  '=SUM($A$1:$B$10), Sheet1!$A$1, 单元格$A$1与$B$2',
  '$_GET["a"] and $_POST["b"]; $this->name = $name;',
  'C$ and D$ and ADMIN$',
  '^abc$ and ^def$; replace with $1$2',
]

const FORMULAS: [string, string[]][] = [
  ['设$x$为数量，$y$为总价', ['x', 'y']],
  ['$x^2$在$\\alpha$和$2^n$', ['x^2', '\\alpha', '2^n']],
  ['the $n$-th of $3$-SAT and $2$-SAT', ['n', '3', '2']],
  ['约$5\\%$的', ['5\\%']],
  ['$1$-$2$-$3$, $0$/$1$/$2$ and $1$=$2$=$3$', ['1', '2', '3', '0', '1', '2', '1', '2', '3']],
  ['$1$, $2$, and $3$；从$1$到$n$', ['1', '2', '3', '1', 'n']],
  ['$1, 2, 3$；取$1，2，3$时', ['1, 2, 3', '1，2，3']],
  ['价格$p$为$5$元；价格为$5，设$x$为', ['p', '5', 'x']],
  ['$10 - 20$ and $40 + 5.6$', ['10 - 20', '40 + 5.6']],
  ['在$[0,1]$上，$90^\\circ$到$180^\\circ$，第$3$章', ['[0,1]', '90^\\circ', '180^\\circ', '3']],
  ['between $0$ and $1$, the $2$nd, $2\\times2$矩阵', ['0', '1', '2', '2\\times2']],
]

const contexts = (text: string) => [
  text,
  `- ${text}`,
  `1. 甲\n2. ${text}`,
  `> ${text}`,
  `## ${text}`,
  `**见** ${text}`,
  `| 甲 | 乙 |\n|---|---|\n| ${text} | 丙 |`,
]

/** What is shown at the end of a text that came a character at a time. */
function streamed(text: string): readonly Nodes[] {
  const blocks = incrementalParser()
  for (let end = 1; end <= text.length; end += 1) blocks.update(text.slice(0, end), false)
  blocks.update(text, true)
  return blocks.groups.flat().map(({ node }) => node)
}

describe('A dollar sign of money', () => {
  test.each(PRICES)('is no mark of a formula, wherever it stands and as it comes: %s', text => {
    for (const context of contexts(text)) expect(formulasIn(parse(context))).toEqual([])
    expect(streamed(`- ${text}`).flatMap(formulasIn)).toEqual([])
  })
})

describe('A dollar sign of a name or of code', () => {
  test.each(NAMES)('is no mark of a formula, wherever it stands and as it comes: %s', text => {
    for (const context of contexts(text)) expect(formulasIn(parse(context))).toEqual([])
    expect(streamed(`- ${text}`).flatMap(formulasIn)).toEqual([])
  })
})

describe('Two dollar signs of a formula', () => {
  test.each(FORMULAS)('are its marks, wherever they stand and as they come: %s', (text, formulas) => {
    for (const context of contexts(text)) expect(formulasIn(parse(context))).toEqual(formulas)
    expect(streamed(`- ${text}`).flatMap(formulasIn)).toEqual(formulas)
  })
})
