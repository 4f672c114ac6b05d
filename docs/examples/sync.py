#!/usr/bin/env python3
"""Starts a sync and waits for its end: sync.py first (LoTW) or sync.py second (QRZ)"""
import json, os, sys, time
from urllib.request import Request, urlopen


def ask(path, body=None):
    headers = {"Authorization": f"Bearer {os.environ['QSOLOG_TOKEN']}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    return json.load(urlopen(Request(os.environ["QSOLOG_URL"] + path, data, headers)))


job = ask(f"/api/sync/{sys.argv[1]}", {})["job"]
while job["status"] in ("pending", "running"):
    time.sleep(1)
    job = ask(f"/api/jobs/{job['id']}")["job"]
print(job["id"], job["status"], job["error"]["message"] if job["error"] else job["stats"])
sys.exit(0 if job["status"] == "completed" else 1)
