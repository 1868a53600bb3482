import { expect, it } from 'vitest'
import { formatWindowsLine } from '../../src/cli/run-child.ts'

it.each([
  [['npm', 'test'], 'npm test'],
  [['C:\\tools\\node.exe', '-e', '1 < 2 & 3'], 'C:\\tools\\node.exe -e "1 < 2 & 3"'],
  [['C:\\Program Files\\nodejs\\node.exe', ''], '"C:\\Program Files\\nodejs\\node.exe" ""'],
  [['node', '-e', 'console.log("a b")'], 'node -e "console.log(""a b"")"'],
  [['echo', 'a b\\', 'c \\"'], 'echo "a b\\\\" "c \\\\"""'],
  [['run', 'a=b', 'c,d;e', '^f'], 'run "a=b" "c,d;e" "^f"'],
])('formats words %j for the Windows shell: %s', (words, line) => {
  expect(formatWindowsLine(words)).toBe(line)
})
