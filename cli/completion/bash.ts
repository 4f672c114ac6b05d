import type { Values } from "../values.ts";
import { quoted, takers, ways, type Stop } from "./stops.ts";

/** For bash 3.2 and later, with or without the bash-completion package. */
export const bashCompletion = (
  stops: readonly Stop[],
): string => `# bash completion for qsolog. To use it in this shell: source <(qsolog completion bash)

_qsolog() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at= flag= word kind= words= front= line i nth=0
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == "=" ]]; then continue; fi
    if [[ -n $flag ]]; then flag=; continue; fi
    case "$at $word" in
${cases(takers(stops), "flag=$word")}
      *" -"?*) ;;
${cases(ways(stops), "at=${at:+$at }$word nth=0")}
      *) nth=$((nth + 1)) ;;
    esac
  done
  if [[ $cur == "=" ]]; then cur=; fi
  if [[ -n $flag ]]; then
    case "$at $flag" in
${stops.flatMap(({ path, flags }) => flags.map(({ name, values }) => choice(`${path} ${name}`, values))).join("")}    esac
  elif [[ $cur == -* ]]; then
    kind=words
    case $at in
${stops.map(({ path, flags }) => branch(path, `words=${quoted(flags.map(({ name }) => name).join(" "))}`)).join("")}    esac
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

const cases = (patterns: readonly string[], then: string): string =>
  `      ${patterns.map((pattern) => quoted(pattern)).join(" | \\\n        ")})\n        ${then} ;;`;

const branch = (pattern: string, then: string): string => `      ${quoted(pattern)}) ${then} ;;\n`;

const choice = (pattern: string, values: Values | null): string => {
  if (values === null || values.kind === "text") return "";
  if (values.kind !== "words") return branch(pattern, `kind=${values.kind}`);
  return branch(pattern, `kind=${values.many ? "many" : "words"} words=${quoted(values.words.join(" "))}`);
};

const nextWord = ({ path, commands, places }: Stop): string => {
  const names = commands.map(({ name }) => name);
  const [first, ...others] = places;
  const own = first?.kind === "words" ? first.words : [];
  return [
    names.length > 0
      ? choice(`${path} 0`, { kind: "words", words: [...names, ...own] })
      : choice(`${path} 0`, first ?? null),
    ...others.map((values, index) => choice(`${path} ${index + 1}`, values)),
  ].join("");
};
