import type { Values } from "../values.ts";
import { quote, listValueFlags, listCommandPaths, type Position } from "./positions.ts";

/** For bash 3.2 and later, with or without the bash-completion package. */
export const buildBashCompletion = (
  stops: readonly Position[],
): string => `# bash completion for qsolog. To use it in this shell: source <(qsolog completion bash)

_qsolog() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at= flag= word kind= words= front= line i nth=0
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == "=" ]]; then continue; fi
    if [[ -n $flag ]]; then flag=; continue; fi
    case "$at $word" in
${formatCases(listValueFlags(stops), "flag=$word")}
      *" -"?*) ;;
${formatCases(listCommandPaths(stops), "at=${at:+$at }$word nth=0")}
      *) nth=$((nth + 1)) ;;
    esac
  done
  if [[ $cur == "=" ]]; then cur=; fi
  if [[ -n $flag ]]; then
    case "$at $flag" in
${stops.flatMap(({ path, flags }) => flags.map(({ name, values }) => formatChoice(`${path} ${name}`, values))).join("")}    esac
  elif [[ $cur == -* ]]; then
    kind=words
    case $at in
${stops.map(({ path, flags }) => formatBranch(path, `words=${quote(flags.map(({ name }) => name).join(" "))}`)).join("")}    esac
  else
    case "$at $nth" in
${stops.map(nextWord).join("")}    esac
  fi
  case $kind in
    many)
      if [[ $cur == *,* ]]; then front=\${cur%,*},; fi
      ;;
    username) words=$("\${COMP_WORDS[0]}" completion usernames 2>/dev/null) ;;
    job) words=$("\${COMP_WORDS[0]}" completion jobs 2>/dev/null | cut -f 1) ;;
    file | directory) compopt -o filenames 2>/dev/null ;;
  esac
  while IFS= read -r line; do
    if [[ -n $line ]]; then COMPREPLY+=("$line"); fi
  done < <(
    case $kind in
      (file) compgen -f -- "$cur" ;;
      (directory) compgen -d -- "$cur" ;;
      (*) compgen -P "$front" -W "$words" -- "\${cur#"$front"}" ;;
    esac
  )
}

complete -F _qsolog qsolog
`;

const formatCases = (patterns: readonly string[], then: string): string =>
  `      ${patterns.map((pattern) => quote(pattern)).join(" | \\\n        ")})\n        ${then} ;;`;

const formatBranch = (pattern: string, then: string): string => `      ${quote(pattern)}) ${then} ;;\n`;

const formatChoice = (pattern: string, values: Values | null): string => {
  if (values === null || values.kind === "text") return "";
  if (values.kind !== "words") return formatBranch(pattern, `kind=${values.kind}`);
  return formatBranch(pattern, `kind=${values.many ? "many" : "words"} words=${quote(values.words.join(" "))}`);
};

const nextWord = ({ path, commands, places }: Position): string => {
  const names = commands.map(({ name }) => name);
  const [first, ...others] = places;
  const own = first?.kind === "words" ? first.words : [];
  return [
    names.length > 0
      ? formatChoice(`${path} 0`, { kind: "words", words: [...names, ...own] })
      : formatChoice(`${path} 0`, first ?? null),
    ...others.map((values, index) => formatChoice(`${path} ${index + 1}`, values)),
  ].join("");
};
