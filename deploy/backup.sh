#!/bin/sh
# Writes a verified copy of the database into DIRECTORY and keeps the newest KEEP of them: backup.sh DIRECTORY [KEEP]
# The secret is not in it: keep a copy of that elsewhere, once.
set -eu

directory=${1:?"say which directory the copies go to"}
keep=${2:-14}
case $keep in
*[!0-9]* | "" | 0) echo "backup.sh: $keep is not a number of copies to keep" >&2 && exit 2 ;;
esac

"${QSOLOG:-qsolog}" db backup "$directory/qsolog-$(date -u +%Y%m%dT%H%M%SZ).db"

# The names sort by their time, and nothing with another name is touched.
digit='[0-9]'
set -- "$directory"/qsolog-$digit$digit$digit$digit$digit$digit$digit$digit'T'$digit$digit$digit$digit$digit$digit'Z.db'
while [ $# -gt "$keep" ]; do
  rm -- "$1"
  shift
done
