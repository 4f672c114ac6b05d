#!/bin/sh
# Imports an ADIF file and prints the job, which runs on: import.sh log.adi
set -eu
: "${QSOLOG_URL:?such as https://log.example.org}" "${QSOLOG_TOKEN:?an API token}"

curl --silent --show-error --fail-with-body "$QSOLOG_URL/api/qsos/import" \
  --header "Authorization: Bearer $QSOLOG_TOKEN" --header "Content-Type: application/octet-stream" --data-binary "@$1"
