import { answered, asked, aWebConversation, called, citing, replied } from './builder.ts'

const FAILED = `import pandas as pd
rows = pd.read_csv("/mnt/data/十月用电.csv")
rows.groupby("用电")["度"].sum()`

const MENDED = `rows.columns.tolist()
by_use = rows.groupby("用途")["度"].sum().sort_values(ascending=False)
by_use.plot.barh(title="十月用电")
print(len(rows), "行")
by_use`

const PRINTED = `2976 行
用途
热水器    138.0
空调     104.2
厨房      92.1
照明      78.3
Name: 度, dtype: float64`

const TRACEBACK = `---------------------------------------------------------------------------
KeyError                                  Traceback (most recent call last)
Cell In[1], line 3
      1 import pandas as pd
      2 rows = pd.read_csv("/mnt/data/十月用电.csv")
----> 3 rows.groupby("用电")["度"].sum()

KeyError: '用电'`

const PAGES = {
  '【6†source】': {
    title: '热泵热水机能效限定值及能效等级',
    url: 'https://www.example.cn/standard/29541?from=search',
    text: '房间型热泵热水机在名义工况下的性能系数（COP）不应低于 3.40，低温型不应低于 3.00。',
  },
  '【9†source】': {
    title: '低温工况下热泵热水器实测',
    url: 'https://lab.example.cn/heat-pump/low-temperature',
    text: '环境温度 5 ℃ 以下时，机组平均能效比降至 2.1–2.3，除霜期间出水温度下降约 4 ℃。',
  },
}

const ANSWER = `十月一共用了 **412 度** 🔌。热水器占三分之一，是最大的一项；而且有 41 度花在半夜保温上，这部分换不换机器都能省。

| 用途 | 用电（度） | 占比 | 电费（元） | 备注 |
| :-- | --: | --: | --: | :-- |
| 电热水器 | 138 | 33% | 85.56 | 其中保温 41 度 |
| 空调与取暖 | 104 | 25% | 64.48 | 主要在月底降温后 |
| 厨房 | 92 | 22% | 57.04 | 含洗碗机 |
| 照明与其他 | 78 | 19% | 48.36 | 待机约 12 度 |

热泵热水器的能效比一般在 3 到 4 之间【6†source】，冬天室外低于 5 ℃ 时会降到 2.2 左右【9†source】。按全年平均 \`COP = 3\` 算，回本年数是：

\\[
T = \\frac{C_{新} - C_{补}}{12 \\cdot E \\cdot p \\cdot (1 - \\frac{1}{COP})} \\approx 4.0\\ 年
\\]

也就是说，**四年左右回本**。能效等级见同一份标准【6†source】。汇总后的表在这里：[下载 十月汇总.xlsx](sandbox:/mnt/data/十月汇总.xlsx)。`

/** Code that fails and is corrected, a chart, web pages that are read and cited, files of both kinds. */
export const heatPump = aWebConversation(
  '5f1d2c3b-8a47-4d21-9c10-000000000000',
  '热水器换热泵，多久回本',
  'gpt_4_code_interpreter',
  [
    { role: 'system', content: { content_type: 'text', parts: ['规则'] } },
    asked('这是家里十月的用电记录。帮我按用途汇总，再算算热水器换成热泵型的，多久能回本？', {
      attachments: [{ name: '十月用电.csv', id: 'file-Q3kUse10', size: 49_152, mimeType: 'text/csv' }],
    }),
    answered('先看看数据里有什么。', { end_turn: false }),
    called('python', FAILED, 'python'),
    replied(
      'python',
      { content_type: 'execution_output', text: TRACEBACK },
      {
        aggregate_result: {
          status: 'failed_with_in_kernel_exception',
          run_id: 'run-1',
          start_time: 1763606404,
          end_time: 1763606404.42,
          code: FAILED,
          messages: [],
          in_kernel_exception: { name: 'KeyError', traceback: [], args: ["'用电'"], notes: [] },
        },
      },
    ),
    called('python', MENDED, 'python'),
    replied(
      'python',
      { content_type: 'execution_output', text: `<<ImageDisplayed>>\n${PRINTED}` },
      {
        aggregate_result: {
          status: 'success',
          run_id: 'run-2',
          start_time: 1763606408,
          end_time: 1763606411.2,
          code: MENDED,
          final_expression_output: PRINTED,
          messages: [
            { message_type: 'stream', time: 1763606410, sender: 'server', stream_name: 'stdout', text: '2976 行\n' },
            {
              message_type: 'image',
              time: 1763606411,
              sender: 'server',
              image_url: 'file-service://file-ChartOct',
              width: 640,
              height: 320,
            },
          ],
        },
      },
    ),
    called('browser', 'search("热泵热水器 能效比 COP 低温 实测")'),
    replied(
      'browser',
      {
        content_type: 'tether_browsing_display',
        result: '# 0†热泵热水机能效限定值及能效等级†example.cn\n# 1†低温工况下热泵热水器实测†lab.example.cn',
      },
      {
        command: 'search',
        args: ['热泵热水器 能效比 COP 低温 实测'],
        status: 'finished',
        _cite_metadata: {
          citation_format: { name: 'tether_og' },
          metadata_list: Object.values(PAGES).map(page => ({ type: 'webpage', ...page })),
        },
      },
      1.1,
    ),
    called('browser', 'mclick([0, 1])'),
    replied(
      'browser',
      { content_type: 'tether_quote', domain: 'lab.example.cn', ...PAGES['【9†source】'] },
      undefined,
      0.7,
    ),
    answered(ANSWER, citing(ANSWER, PAGES)),
    asked('给我一段脚本，以后每个月自己跑。'),
    answered(`放在和 CSV 同一个文件夹里，\`python3 month.py 十一月用电.csv\` 就行：

\`\`\`python
import sys, pandas as pd

PRICE = 0.62          # 元/度，峰谷合一

def summary(path: str) -> pd.DataFrame:
    rows = pd.read_csv(path, parse_dates=["时间"])
    by_use = rows.groupby("用途")["度"].sum()
    return by_use.to_frame().assign(元=lambda t: t["度"] * PRICE)

print(summary(sys.argv[1]).round(2))
\`\`\`

夜里保温的那部分会单独列成一行吗？如果想要，告诉我保温从几点到几点。`),
  ],
)
