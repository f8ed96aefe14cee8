// `terce completion`: prints a script that completes commands and options in a shell, made from the commands themselves.
import { Argument, type Command } from 'commander'
import type { AddCommand } from './entry.ts'

const HELP = `
Examples:
  bash  echo 'source <(terce completion bash)' >> ~/.bashrc
  zsh   echo 'source <(terce completion zsh)' >> ~/.zshrc    (after compinit)
  fish  terce completion fish > ~/.config/fish/completions/terce.fish`

export const addCompletion: AddCommand = (program) => {
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .addHelpText('after', HELP)
    .action((shell: keyof typeof SCRIPTS) => console.log(SCRIPTS[shell](nodesOf(program))))
}

type Word = { word: string; description: string }
/** A command with the words that may follow it. The path of the program is empty. */
type Node = { path: string[]; words: Word[] }

function nodesOf(command: Command, path: string[] = []): Node[] {
  const commands = command.commands.flatMap((one) =>
    [one.name(), ...one.aliases()].map((word) => ({ word, description: one.description() })),
  )
  const options = command.options.map(({ long, description }) => ({ word: long!, description }))
  const choices = command.registeredArguments.flatMap(({ argChoices, description }) =>
    (argChoices ?? []).map((word) => ({ word, description })),
  )
  const description = 'show the help'
  const help = (path.length === 0 ? ['help', '--help'] : ['--help']).map((word) => ({ word, description }))
  const inner = command.commands.flatMap((one) =>
    [one.name(), ...one.aliases()].flatMap((name) => nodesOf(one, [...path, name])),
  )
  return [{ path, words: [...commands, ...choices, ...options, ...help] }, ...inner]
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

const SCRIPTS = {
  bash: (nodes: Node[]) => `_terce() {
${followPath(nodes, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
${nodes.map((node) => `    "${node.path.join(' ')}") word="${wordsOf(node)}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$word" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _terce terce`,

  zsh: (nodes: Node[]) => `_terce() {
${followPath(nodes, `"\${(@)words[2,CURRENT-1]}"`)}
${nodes.map((node) => `    "${node.path.join(' ')}") compadd -- ${wordsOf(node)} ;;`).join('\n')}
  esac
  _files
}
compdef _terce terce`,

  fish: (nodes: Node[]) =>
    nodes.flatMap(({ path, words }) => words.map((word) => fishLine(path, word))).join('\n'),
}

function fishLine(path: string[], { word, description }: Word): string {
  const when =
    path.length === 0
      ? '__fish_use_subcommand'
      : path.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ')
  const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`
  return `complete -c terce -n ${quoted(when)} ${what} -d ${quoted(description)}`
}

const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`
