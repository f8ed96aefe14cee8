"""Creates a person of your own system in Terce, or changes them, and sets another hour for their birthday. Standard library only."""

import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get("TERCE_URL", "http://localhost:3000")
KEY = os.environ.get("TERCE_API_KEY")


def call(method, path, body=None):
    """The response of the API. Ends with the problem that it names if it rejects the request."""
    headers = {"Accept": "application/json"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if KEY:
        headers["Authorization"] = "Bearer " + KEY
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            text = response.read()
    except urllib.error.HTTPError as error:
        problem = json.load(error)
        fields = [f"{one['field']}: {one['message']}" for one in problem.get("problems", [])]
        sys.exit("\n".join([problem["code"], *fields]))
    return json.loads(text) if text else None


def main(external_id, first_name, last_name, date_of_birth, timezone, local_time):
    path = "/user/by-external-id/" + urllib.parse.quote(external_id, safe="")
    person = {"firstName": first_name, "lastName": last_name, "dateOfBirth": date_of_birth, "timezone": timezone}
    # Safe to repeat: the external id names the person.
    user = call("PUT", path, person)["user"]
    occasions = call("GET", f"/user/{user['id']}/occasion")["items"]
    birthday = next(one for one in occasions if one["type"] == "BIRTHDAY")
    changed = call("PUT", f"/occasion/{birthday['id']}", {"localTime": local_time})
    print(changed["occasion"]["next"]["targetTimestampLocal"])


if __name__ == "__main__":
    main(*sys.argv[1:])
