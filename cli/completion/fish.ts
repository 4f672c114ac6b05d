import type { Values } from "../values.ts";
import { listValueFlags, listCommandPaths, type Position } from "./positions.ts";

export const buildFishCompletion = (
  stops: readonly Position[],
): string => `# fish completion for qsolog. To use it in this shell: qsolog completion fish | source
# For every shell: qsolog completion fish > ~/.config/fish/completions/qsolog.fish

set -g __qsolog_takers ${listValueFlags(stops).map(quote).join(" ")}
set -g __qsolog_ways ${listCommandPaths(stops).map(quote).join(" ")}

# Whether the line is at this command, and at this argument of it.
function __qsolog_at
    set -l at
    set -l nth 0
    set -l flag
    for word in (commandline -opc)[2..-1]
        if test -n "$flag"
            set flag
            continue
        end
        set -l step "$at $word"
        if contains -- $step $__qsolog_takers
            set flag $word
        else if string match -q -- '-?*' $word
            continue
        else if contains -- $step $__qsolog_ways
            set at (string trim -- $step)
            set nth 0
        else
            set nth (math $nth + 1)
        end
    end
    test "$at" = "$argv[1]"; or return 1
    test (count $argv) -lt 2; or test $nth -eq $argv[2]
end

# Several values with commas between them: each goes on with what is there already.
function __qsolog_many
    set -l token (commandline -ct | string replace -r -- '^--[^=]*=' '')
    set -l front (string match -r -- '^.*,' $token)
    printf '%s\\n' "$front"$argv
end

# Words that the program knows: usernames, or jobs.
function __qsolog_known
    set -l words (commandline -opc)
    $words[1] completion $argv[1] 2>/dev/null
end

complete -c qsolog -e
complete -c qsolog -f
${stops.map(formatLines).join("")}`;

const formatLines = ({ path, commands, flags, places }: Position): string =>
  [
    ...commands.map(({ name, meaning }) => formatLine(path, 0, `-a ${quote(name)} -d ${quote(meaning)}`)),
    ...places.map((values, index) => (values.kind === "text" ? "" : formatLine(path, index, formatValue(values)))),
    ...flags.map(({ name, meaning, values }) => {
      const value = values === null ? "" : values.kind === "text" ? " -x" : ` -r ${formatValue(values)}`;
      return formatLine(path, null, `-l ${quote(name.replace(/^--/, ""))} -d ${quote(meaning)}${value}`);
    }),
  ].join("");

const formatLine = (path: string, nth: number | null, rest: string): string => {
  const place = `__qsolog_at ${quote(path)}${nth === null ? "" : ` ${nth}`}`;
  return `complete -c qsolog -n ${quote(place)} ${rest}\n`;
};

const formatValue = (values: Values): string => {
  if (values.kind === "words") {
    const words = values.words.join(" ");
    return `-f -a ${quote(values.many ? `(__qsolog_many ${words})` : words)}`;
  }
  return ACTIONS[values.kind];
};

const ACTIONS = {
  file: "-F",
  directory: "-f -a '(__fish_complete_directories)'",
  username: "-f -a '(__qsolog_known usernames)'",
  job: "-f -k -a '(__qsolog_known jobs)'",
  text: "-f",
};

/** In single quotes, fish only interprets quotes and backslashes. */
const quote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
