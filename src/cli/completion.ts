// `terce completion`: prints a script that completes commands, options and values in a shell, made from the commands themselves.
import { Argument, type Command } from 'commander'
import type { Client } from '../client/client.ts'
import { BUILT_IN } from '../domain/settings/channel.ts'
import type { AddCommand } from './entry.ts'
import { withRemote } from './remote.ts'

const HELP = `
Examples:
  bash  echo 'source <(terce completion bash)' >> ~/.bashrc
  zsh   echo 'source <(terce completion zsh)' >> ~/.zshrc    (after compinit)
  fish  terce completion fish > ~/.config/fish/completions/terce.fish`

export const addCompletion: AddCommand = (program, entry) => {
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', HELP)
    .action((shell: keyof typeof SCRIPTS) => console.log(SCRIPTS[shell](nodesOf(program))))

  // The scripts call it. It prints nothing if the names cannot be read: a completion has nowhere to report an error.
  program
    .command('complete', { hidden: true })
    .addArgument(new Argument('<names>').choices(Object.keys(NAMES)))
    .action(async (names: keyof typeof NAMES) => {
      const found = await withRemote({}, entry, ({ client }) => NAMES[names](client)).catch(() => [])
      for (const name of found) console.log(name)
    })
}

/** Names that a Terce knows, by the name of the argument or the option that takes them. */
const NAMES = {
  channel: async (client: Client) => [
    ...(await client.get('/channel')).items.map(({ name }) => name),
    ...BUILT_IN.values(),
  ],
  type: async (client: Client) => (await client.get('/occasion-type')).items.map(({ type }) => type),
}

type Word = { word: string; description: string }
/** A command with the words that may follow it, and the values of its options. The path of the program is empty. */
type Node = { path: string[]; words: Word[]; values: { option: string; words: string }[] }

function nodesOf(command: Command, path: string[] = []): Node[] {
  const visible = command.commands.filter((one) => one.name() !== 'complete')
  const commands = visible.flatMap((one) =>
    [one.name(), ...one.aliases()].map((word) => ({ word, description: one.description() })),
  )
  const options = command.options.map(({ long, description }) => ({ word: long!, description }))
  const values = command.options.flatMap(({ long, argChoices }) => {
    const words = argChoices?.join(' ') ?? namesOf(long!.slice(2))
    return words === null ? [] : [{ option: long!, words }]
  })
  const named = command.registeredArguments.flatMap((one) => namesOf(one.name()) ?? [])
  const choices = command.registeredArguments.flatMap(({ argChoices, description }) =>
    (argChoices ?? []).map((word) => ({ word, description })),
  )
  const description = 'show the help'
  const help = (path.length === 0 ? ['help', '--help'] : ['--help']).map((word) => ({ word, description }))
  const inner = visible.flatMap((one) =>
    [one.name(), ...one.aliases()].flatMap((name) => nodesOf(one, [...path, name])),
  )
  const dynamic = named.map((word) => ({ word, description: 'a name' }))
  return [{ path, words: [...commands, ...choices, ...dynamic, ...options, ...help], values }, ...inner]
}

/** The command that prints the names, as all three shells substitute it; null if the values are free. */
function namesOf(name: string): string | null {
  return name in NAMES ? `$(terce complete ${name} 2>/dev/null)` : null
}

const wordsOf = ({ words }: Node) => words.map(({ word }) => word).join(' ')

/** `at` becomes the path of the command on the line. Both shells read this. */
function followPath(nodes: Node[], before: string): string {
  const steps = nodes.slice(1).map(({ path }) => `"${path.slice(0, -1).join(' ')} ${path.at(-1)}"`)
  return `  local at="" word
  for word in ${before}; do
    case "$at $word" in
      ${steps.join(' | ')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in`
}

/** The cases of an option's values, by the path of the command and the word before. */
function valueCases(nodes: Node[], complete: (words: string) => string): string {
  return nodes
    .flatMap(({ path, values }) =>
      values.map(({ option, words }) => `    "${path.join(' ')} ${option}") ${complete(words)} ;;`),
    )
    .join('\n')
}

const SCRIPTS = {
  bash: (nodes: Node[]) => `_terce() {
${followPath(nodes, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
${nodes.map((node) => `    "${node.path.join(' ')}") word="${wordsOf(node)}" ;;`).join('\n')}
  esac
  case "$at \${COMP_WORDS[COMP_CWORD-1]}" in
${valueCases(nodes, (words) => `word="${words}"`)}
  esac
  COMPREPLY=($(compgen -W "$word" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _terce terce`,

  zsh: (nodes: Node[]) => `_terce() {
${followPath(nodes, `"\${(@)words[2,CURRENT-1]}"`).replace(/\n[^\n]*$/, '')}
  case "$at \${words[CURRENT-1]}" in
${valueCases(nodes, (words) => `compadd -- ${words}; return`)}
  esac
  case "$at" in
${nodes.map((node) => `    "${node.path.join(' ')}") compadd -- ${wordsOf(node)} ;;`).join('\n')}
  esac
  _files
}
compdef _terce terce`,

  fish: (nodes: Node[]) =>
    nodes
      .flatMap(({ path, words, values }) =>
        words.map((word) => fishLine(path, word, values.find(({ option }) => option === word.word)?.words)),
      )
      .join('\n'),
}

function fishLine(path: string[], { word, description }: Word, values?: string): string {
  const when =
    path.length === 0
      ? '__fish_use_subcommand'
      : path.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ')
  const taken = values === undefined ? '' : ` -x -a ${quoted(fishWords(values))}`
  const what = word.startsWith('--') ? `-l ${word.slice(2)}${taken}` : `-a ${quoted(fishWords(word))}`
  return `complete -c terce -n ${quoted(when)} ${what} -d ${quoted(description)}`
}

/** Fish substitutes commands in parentheses without a dollar sign. */
const fishWords = (words: string) => words.replace('$(', '(')

const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`
