import type { Values } from "../values.ts";
import { quote, listValueFlags, listCommandPaths, type Position } from "./positions.ts";

export const buildZshCompletion = (stops: readonly Position[]): string => `#compdef qsolog
# zsh completion for qsolog. To use it in this shell, after compinit: source <(qsolog completion zsh)
# For every shell: qsolog completion zsh > "\${fpath[1]}/_qsolog"

_qsolog() {
  local at= flag= word
  local -a list
  integer i nth=0
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if [[ -n $flag ]]; then flag=; continue; fi
    case "$at $word" in
${formatCases(listValueFlags(stops), "flag=$word")}
      (*' -'?*) ;;
${formatCases(listCommandPaths(stops), "at=${at:+$at }$word nth=0")}
      (*) nth=$((nth + 1)) ;;
    esac
  done
  if [[ -z $flag && $PREFIX == --*=* ]]; then
    flag=\${PREFIX%%=*}
    compset -P '*='
  fi
  if [[ -n $flag ]]; then
    case "$at $flag" in
${stops.flatMap(({ path, flags }) => flags.map(({ name, values }) => formatChoice(`${path} ${name}`, values))).join("")}    esac
  elif [[ $PREFIX == -* ]]; then
    case $at in
${stops.map(({ path, flags }) => formatBranch(path, `list=(${formatDescribed(flags)})`)).join("")}    esac
    _describe -o -t options option list
  else
    case "$at $nth" in
${stops.map(nextWord).join("")}    esac
  fi
}

_qsolog_usernames() { compadd -- \${(f)"$("\${(Q)words[1]}" completion usernames 2>/dev/null)"} }
_qsolog_jobs() {
  local -a jobs
  jobs=(\${\${(f)"$("\${(Q)words[1]}" completion jobs 2>/dev/null)"}/$'\\t'/:})
  _describe -V -t jobs job jobs
}
_qsolog_many() { compset -P '*,'; compadd -q -S '' -- "$@" }

if [[ $funcstack[1] == _qsolog ]]; then _qsolog "$@"; elif (( $+functions[compdef] )); then compdef _qsolog qsolog; fi
`;

const formatCases = (patterns: readonly string[], then: string): string =>
  `      (${patterns.map((pattern) => quote(pattern)).join(" | \\\n        ")})\n        ${then} ;;`;

const formatBranch = (pattern: string, then: string): string => `      (${quote(pattern)}) ${then} ;;\n`;

const formatDescribed = (all: readonly { name: string; meaning: string }[]): string =>
  all.map(({ name, meaning }) => quote(`${name}:${meaning}`)).join(" ");

const formatChoice = (pattern: string, values: Values | null): string => {
  const action = values && getAction(values);
  return action ? formatBranch(pattern, action) : "";
};

const getAction = (values: Values): string | null => {
  if (values.kind !== "words") return ACTIONS[values.kind];
  return `${values.many ? "_qsolog_many" : "compadd --"} ${values.words.map(quote).join(" ")}`;
};

const ACTIONS = {
  file: "_files",
  directory: "_files -/",
  username: "_qsolog_usernames",
  job: "_qsolog_jobs",
  text: null,
};

const nextWord = ({ path, commands, places }: Position): string => {
  const [first, ...others] = places;
  const names = `list=(${formatDescribed(commands)}); _describe -t commands command list`;
  const action = first && getAction(first);
  const start = [...(commands.length > 0 ? [names] : []), ...(action ? [action] : [])].join("; ");
  return [
    start ? formatBranch(`${path} 0`, start) : "",
    ...others.map((values, index) => formatChoice(`${path} ${index + 1}`, values)),
  ].join("");
};
