#!/bin/sh
# Writes the log as ADIF to standard output: export.sh > backup.adi
set -eu
: "${QSOLOG_URL:?such as https://log.example.org}" "${QSOLOG_TOKEN:?an API token}"

curl --silent --show-error --fail-with-body "$QSOLOG_URL/api/qsos/export" --header "Authorization: Bearer $QSOLOG_TOKEN"
