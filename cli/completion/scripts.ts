// Each script asks `qsolog __complete WORDS… CURRENT`. The first line of the answer says what is offered: words, files or
// directories; each other line is a word, and what it means after a tab.

/** For bash 3.2 and later, with or without the package of completions. */
const BASH = `# bash completion for qsolog. To use it in this shell: source <(qsolog completion bash)

_qsolog() {
  local IFS=$'\\n' cur=\${COMP_WORDS[COMP_CWORD]} word words=() offers
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word != "=" ]]; then words+=("$word"); fi
  done
  if [[ $cur == "=" ]]; then cur=; fi
  offers=($("\${COMP_WORDS[0]}" __complete "\${words[@]}" "$cur" 2>/dev/null | cut -f 1))
  case \${offers[0]} in
    files) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")) ;;
    directories) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "\${offers[*]:1}" -- "$cur")) ;;
  esac
}

complete -F _qsolog qsolog
`;

const ZSH = `#compdef qsolog
# zsh completion for qsolog. To use it in this shell, after compinit: source <(qsolog completion zsh)
# For every shell: qsolog completion zsh > "\${fpath[1]}/_qsolog"

_qsolog() {
  local -a offers
  offers=(\${(f)"$("\${(Q)words[1]}" __complete "\${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)"})
  case $offers[1] in
    (files) _files ;;
    (directories) _files -/ ;;
    (words)
      offers=(\${\${offers[2,-1]}/$'\\t'/:})
      _describe -V -t words qsolog offers
      ;;
  esac
}

if [[ $funcstack[1] == _qsolog ]]; then _qsolog "$@"; elif (( $+functions[compdef] )); then compdef _qsolog qsolog; fi
`;

const FISH = `# fish completion for qsolog. To use it in this shell: qsolog completion fish | source
# For every shell: qsolog completion fish > ~/.config/fish/completions/qsolog.fish

function __qsolog_offers
    set -l words (commandline -opc)
    set -l token (commandline -ct)
    set -l offers ($words[1] __complete $words[2..-1] "$token" 2>/dev/null)
    switch "$offers[1]"
        case files
            __fish_complete_path "$token"
        case directories
            __fish_complete_directories "$token"
        case '*'
            printf '%s\\n' $offers[2..-1]
    end
end

complete -c qsolog -e
complete -c qsolog -f -k -a '(__qsolog_offers)'
`;

export const COMPLETION_SCRIPTS: Record<string, string> = { bash: BASH, zsh: ZSH, fish: FISH };
