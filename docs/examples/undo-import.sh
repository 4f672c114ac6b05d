#!/bin/sh
# Undoes a completed import or bulk edit and prints the result: undo-import.sh JOB
set -eu
: "${QSOLOG_URL:?such as https://log.example.org}" "${QSOLOG_TOKEN:?an API token}"

curl --silent --show-error --fail-with-body --request POST "$QSOLOG_URL/api/jobs/$1/undo" \
  --header "Authorization: Bearer $QSOLOG_TOKEN"
