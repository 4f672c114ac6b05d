# Makes Tab print what the completion offers, in the place of a list.
autoload -Uz compinit
compinit -u -D
source <(qsolog completion zsh)

compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a offers
  builtin compadd -O offers "$@"
  print -rn -- ${offers/(#m)*/"<offer $MATCH>"}
  (( $#offers ))
}

_told() {
  _main_complete
  compstate[insert]=
  compstate[list]=
  print -rn -- "<end>"
}

setopt extended_glob
zle -C told complete-word _told
bindkey '^I' told
