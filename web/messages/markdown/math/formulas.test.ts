import type { Nodes } from 'mdast'
import { describe, expect, test } from 'vitest'
import { parse } from '../parser/parse.ts'

/** The text with its formulas, blocks and code in angle brackets; a slash between two blocks. */
function outline(node: Nodes): string {
  switch (node.type) {
    case 'root':
      return node.children.map(outline).join(' / ')
    case 'text':
      return node.value
    case 'mathematics':
      return `${node.display ? '<display ' : '<'}${node.value}>`
    case 'paragraph':
      return node.children.map(outline).join('')
    default:
      return 'children' in node
        ? `${node.type}(${node.children.map(outline).join(' ')})`
        : `${node.type}(${'value' in node ? node.value : ''})`
  }
}

const seen = (text: string) => outline(parse(text))

describe('A formula on lines of its own', () => {
  test('may begin after its opening mark, and ends at its closing one', () => {
    expect(seen('$$\\begin{aligned}\na\n\\end{aligned}\n$$\n\n**后文**')).toBe(
      '<display \\begin{aligned}\na\n\\end{aligned}> / strong(后文)',
    )
    expect(seen('\\[ x = a\n+ b\n\\]\n后文')).toBe('<display x = a\n+ b> / 后文')
    expect(seen('$$a\n=\n\n- b$$\n后文')).toBe('<display a\n=\n\n- b> / 后文')
  })
  test('may begin at the end of a line of text', () => {
    expect(seen('公式：$$\ny = x\n$$\n\n后文')).toBe('公式：<display y = x> / 后文')
    expect(seen('公式：$$ y\n= x\n$$，后文')).toBe('公式：<display y\n= x>，后文')
    expect(seen('1. 公式 $$\n   y\n   $$\n   后文\n2. 乙')).toBe('list(listItem(公式 <display y>\n后文) listItem(乙))')
    expect(seen('> 公式 $$\n> y\n> $$\n\n后文')).toBe('blockquote(公式 <display y>) / 后文')
  })
  test('keeps its lines after text, whatever they begin with', () => {
    expect(seen('记 $$\na\n+ b\n- c\n$$\n后文')).toBe('记 <display a\n+ b\n- c>\n后文')
    expect(seen('记 $$\n- a\n1. b\n* c\n$$\n- 后文')).toBe('记 <display - a\n1. b\n* c> / list(listItem(后文))')
    expect(seen('记 \\[\na\n=\nb\n-\nc\n\\]')).toBe('记 <display a\n=\nb\n-\nc>')
    expect(seen('- 记 $$\n  - a\n  $$\n- 乙\n\n> 记 $$\n> + a\n> $$')).toBe(
      'list(listItem(记 <display - a>) listItem(乙)) / blockquote(记 <display + a>)',
    )
    expect(seen('- 记 $$\n- 乙\n\n# 记 $$\n- 丙\n\n丁\n=\n\n戊\n- 己')).toBe(
      'list(listItem(记 $$) listItem(乙)) / heading(记 $$) / list(listItem(丙)) / heading(丁) / 戊 / list(listItem(己))',
    )
  })
  test('may be closed at the margin of its list item or quote', () => {
    expect(seen('- $$\n  x\n$$\n后文')).toBe('list(listItem(<display x>)) / 后文')
    expect(seen('1. 甲：\n   $$\na = b\n$$，其中 $a$ 是\n\n2. 乙')).toBe(
      'list(listItem(甲： <display a = b> ，其中 <a> 是) listItem(乙))',
    )
    expect(seen('- \\[\n  x\n\n\\]\n- \\begin{cases}\n  y\n\\end{cases}\n\n> $$\n> z\n$$\n后文')).toBe(
      'list(listItem(<display x>) listItem(<display \\begin{cases}\ny\n\\end{cases}>)) / blockquote(<display z>) / 后文',
    )
  })
  test('that is never closed ends with its list item, or before a sentence after a blank line', () => {
    expect(seen('- $$\n  x\n- 乙\n\n后文')).toBe('list(listItem(<display x>) listItem(乙)) / 后文')
    expect(seen('- $$\n  x\n后面的文字\n\n$$\ny\n$$')).toBe('list(listItem(<display x>)) / 后面的文字 / <display y>')
    expect(seen('- $$\n\n$$\ny\n$$\n后文')).toBe('list(listItem(<display >)) / <display y> / 后文')
    expect(seen('$$\na\n\n然后是 **后文**\n\nand so on')).toBe('<display a> / 然后是 strong(后文) / and so on')
    expect(seen('\\[\na\n\n速度 = b\n\n\\text{甲 乙}\n\n+ c\n\\]')).toBe(
      '<display a\n\n速度 = b\n\n\\text{甲 乙}\n\n+ c>',
    )
    expect(seen('甲 $$\n\na\n\n$$\n\n后面的文字')).toBe('甲 $$ / a / <display > / 后面的文字')
  })
  test('interrupts a paragraph that only mentions the mark', () => {
    expect(seen('用 `$$` 包裹：\n$$\ny\n\nx\n$$\n后文')).toBe('用 inlineCode($$) 包裹： / <display y\n\nx> / 后文')
    expect(seen('美元 $$ 表示公式：\n$$\ny\n$$\n后文')).toBe('美元 $$ 表示公式： / <display y> / 后文')
    expect(seen('已有 $$a$$\n$$\ny\n$$\n后文')).toBe('已有 <display a> / <display y> / 后文')
  })
  test('does not begin with a sentence, a price or an escaped bracket', () => {
    for (const text of ['$$ 是进程号', '$$ means a formula', '$$$ 很贵'])
      expect(seen(`${text}\n\n后文`)).toBe(`${text} / 后文`)
    expect(seen('\\[x\n\n\\[文档](a=b\n\n后文')).toBe('[x / [文档](a=b / 后文')
  })
  test('is parsed in linear time', () => {
    const before = process.cpuUsage()
    parse('a $$x\n$$ b\n'.repeat(700))
    parse('a\n$$x$$\n'.repeat(1_400))
    parse('a \\[\n\\begin{align}\n'.repeat(1_400))
    parse('\\begin{align} \\end{'.repeat(1_400))
    parse('$ a '.repeat(2_900))
    parse(`a\n${'-|-\n'.repeat(8_000)}`)
    parse('# a\n---\n'.repeat(2_000))
    parse(`${'a $$\n'.repeat(1_400)}${'long line '.repeat(5_000)}`)
    // seconds of its own computing, of which it needs one, however busy the machine is
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10)
  })
})

describe('An environment of TeX', () => {
  test('is a formula without a mark around it', () => {
    expect(seen('结果：\n\\begin{align*}\na &= b \\\\\n\n- c\n\\end{align*}，**后文**')).toBe(
      '结果： / <display \\begin{align*}\na &= b \\\\\n\n- c\n\\end{align*}> / ，strong(后文)',
    )
    expect(seen('- \\begin{pmatrix} 1 & 2 \\end{pmatrix}\n- 乙')).toBe(
      'list(listItem(<display \\begin{pmatrix} 1 & 2 \\end{pmatrix}>) listItem(乙))',
    )
  })
  test('belongs to the formula around it', () => {
    expect(seen('即 \\[\n\\begin{cases}\na\n\\end{cases}\n\\]\n后文')).toBe(
      '即 <display \\begin{cases}\na\n\\end{cases}>\n后文',
    )
  })
  test('is text where it is only mentioned, or is not mathematical', () => {
    expect(seen('\\begin{align} 是环境\n\n\\begin{itemize}\n\n后文')).toBe(
      '\\begin{align} 是环境 / \\begin{itemize} / 后文',
    )
  })
})

describe('A dollar sign', () => {
  test.each([
    ['价格为$5，设$x$为数量，$y$为总价。', '价格为$5，设<x>为数量，<y>为总价。'],
    ['$5和$x$，$5元\n数量：$n$', '$5和<x>，$5元\n数量：<n>'],
    ['100$，200$；100$和200$。', '100$，200$；100$和200$。'],
    ['**$5**和**$x$**', 'strong($5)和strong(<x>)'],
    ['$5 and $10, $5-$10, ~~$10~~ **$5**', '$5 and $10, $5-$10, delete($10) strong($5)'],
    ['（$5/月）或（$10/年），\\$5 与 $p = \\$5$', '（$5/月）或（$10/年），$5 与 <p = \\$5>'],
  ])('before a price is a dollar sign: %s', (text, outlined) => expect(seen(text)).toBe(outlined))
  test.each([
    ['put $PATH into `a$b` and `$c`', 'put $PATH into inlineCode(a$b) and inlineCode($c)'],
    ['用$PATH与`echo $HOME`，$x$', '用$PATH与inlineCode(echo $HOME)，<x>'],
  ])('in code is code: %s', (text, outlined) => expect(seen(text)).toBe(outlined))
  test.each([
    ['设$x$，$y$。第$n$个（$r$ 为半径）', '设<x>，<y>。第<n>个（<r> 为半径）'],
    ['the $n$th, $k$-th and $5$ of $-1$', 'the <n>th, <k>-th and <5> of <-1>'],
    ['$速度 = \\frac{路程}{时间}$，$100\\text{元}$，$5元$', '<速度 = \\frac{路程}{时间}>，<100\\text{元}>，<5元>'],
    ['**$x$**的**值为 $y$**', 'strong(<x>)的strong(值为  <y>)'],
  ])('around a formula is none: %s', (text, outlined) => expect(seen(text)).toBe(outlined))
  test.each([
    [
      '设 $ x $ 与 $ f(x) = x^2 $，共 $ 100 $ 个，$ \\text{若 } a $',
      '设 <x> 与 <f(x) = x^2>，共 <100> 个，<\\text{若 } a>',
    ],
    ['5 $ or 10 $, $ 5 and $ 6, $ 5 - $ 6', '5 $ or 10 $, $ 5 and $ 6, $ 5 - $ 6'],
    ['价格 $ 100 元，设 $ 200 元；the $ sign and the $ mark', '价格 $ 100 元，设 $ 200 元；the $ sign and the $ mark'],
  ])('may have spaces inside, where there is a formula: %s', (text, outlined) => expect(seen(text)).toBe(outlined))
  test.each([
    "Unset '$API_TOKEN' in 'env:API_TOKEN'. Set $API_TOKEN or $OTHER_TOKEN in the shell.\nPATH=$HOME/bin:$PATH, see $GOROOT/bin/$TOOL.\n$DONE_COUNT/$ALL_COUNT done.",
    'export PATH=$HOME/.local/bin:$HOME/bin:$PATH',
    '${HOME}/bin:${PATH} and ${a}/${b}',
    '$(pwd):$(pwd)',
    '$env:TEMP;$env:PATH',
    '把$HOME和$PATH写进配置',
    '变量“$HOME”、“$PATH”',
    '$USER_NAME$',
    '$user@$host',
    '$a=$b; $a->f($b); $rows[$i]',
    '/srv/$name/$file',
    '/srv/$name/data$ hm',
    '$foo$bar',
    '$HOME\\bin;$PATH',
    'bought $AAPL and $MSFT, $AAPL,$MSFT ($T/$F), **$AAPL** vs **$MSFT**',
    '$AAPL涨5%，$MSFT跌',
    '$T和$F',
    '10$，20$/月',
    '从10$到20$',
    '一个10$/月，另一个20$/月',
    '约10$(美元)和20$。',
    '10$/20$, 10$-20$ or 15$.',
    'The $5 coffee and the 10$ tea',
    'I have $5 (or 10$).',
    'US$3, while R$ 5; US$3 or A$x',
    'HK$20和A$。',
    '$5/day, 6$/day',
    '$0 是脚本名，$1 到 $9 是参数，$# 是个数，$@ 是全部，$? 是返回码',
    'my $n = @$list;',
    'echo ${x:-$y} ${z%%$w}',
    '$5USD, 5$USD',
    'from $x-$y to ${a}-${b}',
    'costs $x dollars, not y$ then',
    'set $a and b$',
    '$5 apples$',
    '$x costs 10$',
    '$AAPL and $MSFT, 10$ 或',
    'the dollar$sign and other$ signs',
    'the price $a is the price of b$',
    'say "$x" or "$y"',
    'echo $$ and then $$',
    'kill $$; echo $$',
  ])('is no mark of a formula around names, paths, prices and prose: %s', text => expect(seen(text)).not.toContain('<'))
  test.each([
    ['$x^2$, $E=mc^2$, $n$, $\\alpha$, $P(A|B)$, $2n+1$', '<x^2>, <E=mc^2>, <n>, <\\alpha>, <P(A|B)>, <2n+1>'],
    ['速度$v$与时间$t$的积$v \\times t$，即$s=vt$。', '速度<v>与时间<t>的积<v \\times t>，即<s=vt>。'],
    [
      'the $ij$th entry, $\\sin x$, $max(a, b)$, $sin x$, $AB$(如图), $CO_2$ and $T_max$',
      'the <ij>th entry, <\\sin x>, <max(a, b)>, <sin x>, <AB>(如图), <CO_2> and <T_max>',
    ],
    [
      '$\\text{if } x \\in A \\text{ and so on}$, $[0, 1)$, $f: A \\to B$, $x,$ $y$',
      '<\\text{if } x \\in A \\text{ and so on}>, <[0, 1)>, <f: A \\to B>, <x,> <y>',
    ],
    ['10$ 和 $x$；用$HOME时$y$；$5，即$x=5$；2$x$', '10$ 和 <x>；用$HOME时<y>；$5，即<x=5>；2<x>'],
    ['$Total Cost = Price$ and $$Total Cost = Price$$', '<Total Cost = Price> and <display Total Cost = Price>'],
    ['$5 mod 3$, $10 km/h$, $100$, $a\\,$, $x^+$and', '<5 mod 3>, <10 km/h>, <100>, <a\\,>, <x^+>and'],
  ])('is one around formulas: %s', (text, outlined) => expect(seen(text)).toBe(outlined))
})
