"""Records a cassette: `python vcrpy.py URL FILE SERIALIZER`, with the requests to send as JSON on standard input."""

import json
import sys
import urllib.error
import urllib.request

import vcr

url, file, serializer = sys.argv[1:]
with vcr.use_cassette(file, serializer=serializer, record_mode="all"):
    for path, body in json.load(sys.stdin):
        asked = urllib.request.Request(url + path, json.dumps(body).encode(), {"content-type": "application/json"})
        try:
            urllib.request.urlopen(asked).read()
        except urllib.error.HTTPError as error:
            error.read()
