#!/usr/bin/env python3
"""Logs a contact as it is made, as a logging program does: log_contact.py CALL BAND MODE"""
import json, os, sys
from datetime import datetime, timezone
from urllib.request import Request, urlopen

call, band, mode = sys.argv[1:4]
now = datetime.now(timezone.utc)
fields = {"CALL": call, "BAND": band, "MODE": mode, "QSO_DATE": f"{now:%Y%m%d}", "TIME_ON": f"{now:%H%M%S}"}
body = {"client": "my program", "told": [{"kind": "contact", "fields": fields}]}
headers = {"Authorization": f"Bearer {os.environ['QSOLOG_TOKEN']}", "Content-Type": "application/json"}
answer = json.load(urlopen(Request(os.environ["QSOLOG_URL"] + "/api/feed", json.dumps(body).encode(), headers)))
for contact in answer["taken"]:
    print(contact["outcome"], contact["reason"] or ", ".join(contact["news"]))
