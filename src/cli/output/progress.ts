// Shows the progress of a long run: a bar on a terminal, a line for each tenth elsewhere.

type Screen = { isTTY?: boolean; write(text: string): unknown }

const WIDTH = 30

/** Takes the finished share, from 0 to 1, and a text to show label it. */
export function createProgress(screen: Screen): (done: number, label: string) => void {
  let tenths = 0
  return (done, label) => {
    const percent = `${Math.floor(done * 100)} %`
    if (screen.isTTY) {
      const bar = '#'.repeat(Math.floor(done * WIDTH)).padEnd(WIDTH, '.')
      screen.write(`\r[${bar}] ${percent.padStart(5)}  ${label}${done < 1 ? '' : '\n'}`)
    } else if (Math.floor(done * 10) > tenths) {
      tenths = Math.floor(done * 10)
      screen.write(`${percent.padStart(5)}  ${label}\n`)
    }
  }
}
