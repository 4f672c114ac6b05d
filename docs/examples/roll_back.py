#!/usr/bin/env python3
"""Rolls back the newest job, if it failed, after showing what will happen: roll_back.py [--yes]"""
import json, os, sys
from urllib.request import Request, urlopen


def ask(path, method="GET"):
    headers = {"Authorization": f"Bearer {os.environ['QSOLOG_TOKEN']}"}
    return json.load(urlopen(Request(os.environ["QSOLOG_URL"] + path, headers=headers, method=method)))


job = ask("/api/jobs?limit=1")["jobs"][0]
if not job["actions"]["rollback"]:
    sys.exit(f"Job {job['id']} cannot be rolled back: {job['actions']['reason']}")
preview = ask(f"/api/jobs/{job['id']}/rollback")
print(f"Job {job['id']}: {preview['deleted']} contacts deleted, {preview['restored']} restored")
if "--yes" in sys.argv:
    print(ask(f"/api/jobs/{job['id']}", "DELETE")["job"]["status"])
