#!/usr/bin/env python3
"""Receives notifications on port 8000 and verifies their signature: WEBHOOK_KEY=… webhook.py"""
import hashlib, hmac, json, os
from http.server import BaseHTTPRequestHandler, HTTPServer


class Webhook(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        signed = self.headers["x-qsolog-timestamp"].encode() + b"." + body
        expected = "sha256=" + hmac.new(os.environ["WEBHOOK_KEY"].encode(), signed, hashlib.sha256).hexdigest()
        is_valid = hmac.compare_digest(expected, self.headers["x-qsolog-signature"])
        print(json.loads(body)["text"] if is_valid else "wrong signature", flush=True)
        self.send_response(204 if is_valid else 403)
        self.end_headers()


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8000))), Webhook).serve_forever()
