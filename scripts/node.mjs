// node scripts/node.mjs <file> [arguments]: runs the file with a Node that is new enough, whichever one started this.
import { runNode } from './runNode.mjs'

process.exitCode = await runNode(process.argv.slice(2))
