// Shows how far a long run is: a bar on a terminal, a line for each tenth elsewhere.

type Screen = { isTTY?: boolean; write(text: string): unknown }

const WIDTH = 30

/** Takes the share that is done, from 0 to 1, and what to say beside it. */
export function createProgress(screen: Screen): (done: number, beside: string) => void {
  let tenths = 0
  return (done, beside) => {
    const percent = `${Math.floor(done * 100)} %`
    if (screen.isTTY) {
      const bar = '#'.repeat(Math.floor(done * WIDTH)).padEnd(WIDTH, '.')
      screen.write(`\r[${bar}] ${percent.padStart(5)}  ${beside}${done < 1 ? '' : '\n'}`)
    } else if (Math.floor(done * 10) > tenths) {
      tenths = Math.floor(done * 10)
      screen.write(`${percent.padStart(5)}  ${beside}\n`)
    }
  }
}
