/// A collection that uses everything the format has, in canonical form.
let everything = """
    {
      "$schema": "./ombi.schema.json",
      "version": 1,
      "name": "everything",
      "description": "Übersicht",
      "variables": {
        "userId": "42",
        "debug": { "value": "1", "enabled": false }
      },
      "headers": [
        { "name": "X-Client", "value": "ombi" }
      ],
      "authentication": { "bearer": "{{token}}" },
      "policy": { "retries": 1 },
      "connection": { "connectTimeout": "3s" },
      "environments": [
        {
          "name": "local",
          "host": "http://127.0.0.1:8765",
          "protected": true,
          "verifyTLS": false,
          "additionalHeaders": [
            { "name": "Via", "value": "a" },
            { "name": "Via", "value": "b" }
          ],
          "variables": { "x": "y" },
          "secrets": {
            "token": { "env": "TOKEN" },
            "key": { "file": "~/key" }
          },
          "authentication": {
            "basic": { "username": "u", "password": "{{key}}" }
          },
          "policy": { "sla": "1m" },
          "connection": {
            "proxy": "http://proxy.test:3128",
            "caFile": "./ca.pem",
            "clientCertificate": { "file": "./me.p12", "password": "{{key}}" }
          }
        }
      ],
      "items": [
        {
          "folder": "users",
          "description": "Those of users.",
          "variables": { "userId": "7" },
          "headers": [
            { "name": "Accept", "value": "application/json" }
          ],
          "authentication": "none",
          "policy": { "timeout": "3s" },
          "connection": { "pins": [], "cookies": true },
          "items": [
            {
              "request": "user by id",
              "description": "One.",
              "method": "GET",
              "path": "/users/:id",
              "pathParameters": { "id": "{{userId}}" },
              "query": [
                { "name": "expand", "value": "orders", "enabled": false }
              ],
              "headers": [
                { "name": "X-Request-Id", "value": "{{$uuid}}" }
              ],
              "authentication": { "bearer": "{{token}}" },
              "policy": {
                "retries": 3,
                "sla": "2s",
                "timeout": "800ms",
                "backoff": { "first": "250ms", "factor": 1.5, "jitter": 0.2, "ceiling": "1.5s" },
                "retryOn": ["connection", "timeout", "5xx", "429"],
                "retryBudget": "20%",
                "breaker": { "failures": 4, "within": "1m", "pause": "5s" }
              },
              "connection": {
                "minimumTLS": "1.3",
                "httpVersion": "1.1",
                "maximumRedirects": 0,
                "unixSocket": "/run/shop",
                "resolve": ["shop.test:443:127.0.0.1"],
                "addressFamily": "ipv4",
                "interface": "eth0",
                "maximumReceiveRate": 1000,
                "maximumSendRate": 1000
              },
              "expect": {
                "status": ["2xx", "404"],
                "within": "500ms",
                "firstAttemptWithin": "200ms",
                "size": "<100000",
                "certificateDays": 14,
                "headers": {
                  "Content-Type": "application/json",
                  "ETag": { "matches": "^W/" }
                },
                "body": [
                  { "path": "$.id", "type": "integer", "greater": 0 },
                  { "path": "$.items", "count": 3 },
                  { "path": "$.boss" },
                  { "contains": "Ada" }
                ]
              }
            },
            { "folder": "empty", "items": [] }
          ]
        },
        {
          "request": "json",
          "method": "POST",
          "path": "/json",
          "authentication": {
            "basic": { "username": "u", "password": "{{key}}" }
          },
          "body": {
            "json": { "n": 1.50, "s": "{{x}}", "big": 123456789012345678901, "id": "{{u:json}}" }
          },
          "capture": {
            "session": { "path": "$.session", "secret": true, "maximumAge": "15m" },
            "etag": { "header": "ETag" },
            "sid": { "cookie": "sid", "enabled": false },
            "code": { "status": true },
            "csrf": { "regex": "csrf=(\\\\w+)" }
          }
        },
        {
          "request": "text",
          "method": "PUT",
          "path": "https://example.com/text?a=b",
          "authentication": "none",
          "body": { "text": "a\\nb", "contentType": "text/csv" },
          "expect": { "status": "204" },
          "compare": {
            "ignore": ["$.updatedAt", "$.items[*].id"]
          },
          "fallbackResponse": { "history": true, "maximumAge": "7d" }
        },
        {
          "request": "form",
          "method": "PATCH",
          "path": "/form",
          "body": {
            "form": [
              { "name": "a", "value": "b" }
            ]
          }
        }
      ]
    }

    """
