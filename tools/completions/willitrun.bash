# bash completion for willitrun: commands and options, asked of the program itself.
_willitrun() {
  local word=${COMP_WORDS[COMP_CWORD]} command="" candidates i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --home) ((i++)) ;;
      -*) ;;
      *) command=${COMP_WORDS[i]}; break ;;
    esac
  done
  if [ "${COMP_WORDS[COMP_CWORD - 1]}" = --target ]; then
    candidates=$(willitrun targets 2>/dev/null | awk 'NR > 1 {print $1}')
  elif [[ $word == -* ]]; then
    candidates=$(willitrun $command --help 2>/dev/null | grep -oE -- '--[a-z-]+')
  elif [ -z "$command" ]; then
    candidates=$(willitrun --help 2>/dev/null | sed -n '/^Subcommands:/,$p' | awk '/^  [a-z]/ {print $1}')
  fi
  mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "$word")
  [ ${#COMPREPLY[@]} -gt 0 ] || mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -F _willitrun willitrun
