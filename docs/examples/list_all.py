#!/usr/bin/env python3
"""Prints every contact on a band, page by page: list_all.py 20m"""
import json, os, sys
from urllib.parse import urlencode
from urllib.request import Request, urlopen

query = {"band": sys.argv[1], "limit": 500, "sort": "startedAt"}
while True:
    request = Request(f"{os.environ['QSOLOG_URL']}/api/qsos?{urlencode(query)}")
    request.add_header("Authorization", f"Bearer {os.environ['QSOLOG_TOKEN']}")
    page = json.load(urlopen(request))
    for qso in page["qsos"]:
        print(qso["startedAt"], qso["call"], qso["mode"], qso["confirmation"])
    if page["nextCursor"] is None:
        break
    query["cursor"] = page["nextCursor"]
