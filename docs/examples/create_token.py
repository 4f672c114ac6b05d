#!/usr/bin/env python3
"""Signs in and prints a new API token: create_token.py USERNAME"""
import getpass, json, os, sys
from urllib.request import Request, urlopen


def post(path, body, **headers):
    headers["Content-Type"] = "application/json"
    return json.load(urlopen(Request(os.environ["QSOLOG_URL"] + path, json.dumps(body).encode(), headers)))


password = getpass.getpass() if sys.stdin.isatty() else input()
session = post("/api/auth/login", {"username": sys.argv[1], "password": password})
token = post("/api/me/tokens", {"name": "my program", "scope": "write"}, Authorization=f"Bearer {session['token']}")
print(token["token"])
