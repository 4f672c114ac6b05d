#!/bin/sh
# Prints the ten newest contacts that fit a filter, as JSON: list.sh band=20m confirmation=none
set -eu
: "${QSOLOG_URL:?such as https://log.example.org}" "${QSOLOG_TOKEN:?an API token}"

for filter in "$@"; do set -- "$@" --data-urlencode "$filter"; shift; done
curl --silent --show-error --fail-with-body --get "$QSOLOG_URL/api/qsos" \
  --header "Authorization: Bearer $QSOLOG_TOKEN" --data limit=10 "$@"
