/// The collection files of the stories.
enum Samples {
    /// A collection for the demo server, with keys that Ombi does not know.
    static func shop(port: Int) -> String {
        """
        {
          "version": 1,
          "name": "shop",
          "x-owner": "team blue",
          "environments": [
            { "name": "local", "host": "http://127.0.0.1:\(port)", "x-colour": "teal" },
            { "name": "down", "host": "http://127.0.0.1:1" }
          ],
          "items": [
            {
              "folder": "users",
              "x-note": ["keep", 1.50],
              "items": [
                {
                  "request": "list users",
                  "method": "GET",
                  "path": "/users",
                  "query": [{ "name": "limit", "value": "2", "x-why": "short" }],
                  "headers": [{ "name": "X-Trace", "value": "one" }]
                },
                { "request": "one user", "path": "/users/:id", "pathParameters": { "id": "42" } },
                { "request": "echo", "method": "POST", "path": "/echo", "body": { "json": { "word": "before" } } }
              ]
            },
            { "folder": "trouble", "items": [
                {
                  "request": "flaky",
                  "path": "/flaky",
                  "query": [ { "name": "failures", "value": "2" }, { "name": "key", "value": "story" } ],
                  "policy": { "retries": 3, "sla": "20s", "backoff": { "first": "1s" } }
                },
                {
                  "request": "waits long",
                  "path": "/flaky",
                  "query": [ { "name": "failures", "value": "1" }, { "name": "key", "value": "long" } ],
                  "policy": { "retries": 1, "sla": "120s", "backoff": { "first": "60s" } }
                },
                { "request": "slow", "path": "/slow", "query": [ { "name": "ms", "value": "60000" } ] },
                { "request": "half a second", "path": "/slow", "query": [ { "name": "ms", "value": "500" } ] },
                { "request": "missing", "path": "/users/9999" },
                { "request": "control characters", "path": "/control-characters" }
              ] }
          ]
        }

        """
    }
}
