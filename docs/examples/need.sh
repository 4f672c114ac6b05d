#!/bin/sh
# Prints what contacts would bring, for lines of CALL BAND MODE: echo "K1ABC 20m CW" | need.sh
set -eu
: "${QSOLOG_URL:?such as https://log.example.org}" "${QSOLOG_TOKEN:?an API token or a key of a program}"

while read -r call band mode; do
  curl --silent --show-error --fail-with-body --get "$QSOLOG_URL/api/need" \
    --header "Authorization: Bearer $QSOLOG_TOKEN" \
    --data-urlencode "call=$call" --data-urlencode "band=$band" --data-urlencode "mode=$mode"
  echo
done
