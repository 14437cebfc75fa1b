// node scripts/node.mjs <file> [arguments]: runs the file with a Node that is new enough, whichever one started this.
import { startedBy, watchInterruption } from './interruption.mjs'
import { runNode } from './runNode.mjs'

const { npm, others } = startedBy(process.argv.slice(2))
process.exitCode = await runNode(others, {}, watchInterruption(npm))
