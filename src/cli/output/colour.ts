// Colours for a terminal. NO_COLOR, and an output that is no terminal, switch them off.
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

export type Paint = (style: Style, text: string) => string

/** Paints for this stream. Node decides whether the stream shows colours, by NO_COLOR, FORCE_COLOR and TERM too. */
export function paintFor(stream: NodeJS.WritableStream): Paint {
  return (style, text) => styleText(style, text, { stream })
}
