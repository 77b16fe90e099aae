import OmbiDocument

extension SavedAuthentication {
    /// The JSON Schema of the member `authentication`, with a choice for each kind.
    static var schema: JSONValue {
        Schema.json(
            #"""
            {
              "description": "The credentials of a request, or of the requests below this level; inherited by default: from the nearest folder, then the environment, then the collection.",
              "oneOf": [
                { "const": "inherit", "description": "Those of the level above, as by default." },
                { "const": "none", "description": "No credentials, not even inherited ones." },
                {
                  "type": "object",
                  "required": ["bearer"],
                  "properties": { "bearer": { "type": "string", "description": "A token, usually {{name}} of a secret." } }
                },
                {
                  "type": "object",
                  "required": ["basic"],
                  "properties": {
                    "basic": {
                      "type": "object",
                      "required": ["username", "password"],
                      "properties": { "username": { "type": "string" }, "password": { "type": "string" } }
                    }
                  }
                },
                {
                  "type": "object",
                  "required": ["apiKey"],
                  "properties": {
                    "apiKey": {
                      "type": "object",
                      "description": "A key under the name that the API defines.",
                      "required": ["name", "value"],
                      "properties": {
                        "name": { "type": "string", "minLength": 1 },
                        "value": { "type": "string", "description": "The key, usually {{name}} of a secret." },
                        "in": { "enum": ["header", "query", "cookie"], "default": "header" }
                      }
                    }
                  }
                },
                {
                  "type": "object",
                  "required": ["digest"],
                  "properties": {
                    "digest": {
                      "type": "object",
                      "description": "A user name and a password that is never sent (RFC 7616).",
                      "required": ["username", "password"],
                      "properties": { "username": { "type": "string" }, "password": { "type": "string" } }
                    }
                  }
                },
                {
                  "type": "object",
                  "required": ["oauth2"],
                  "properties": {
                    "oauth2": {
                      "type": "object",
                      "description": "Tokens of an authorization server; a refresh token is used where there is one.",
                      "required": ["grant", "tokenURL", "clientID"],
                      "properties": {
                        "grant": {
                          "enum": ["clientCredentials", "password", "deviceCode", "authorizationCode"],
                          "description": "The way to the first token."
                        },
                        "tokenURL": {
                          "type": "string",
                          "description": "The token endpoint: a whole URL, or a path on the host of the environment."
                        },
                        "deviceURL": {
                          "type": "string",
                          "description": "The endpoint that issues device codes, on the host of the token endpoint."
                        },
                        "authorizationURL": {
                          "type": "string",
                          "description": "The page at which the user signs in: a whole URL, or a path on the host of the environment."
                        },
                        "redirectURI": {
                          "type": "string",
                          "description": "The address to which the browser comes back, as registered; a free port of 127.0.0.1 by default."
                        },
                        "clientID": { "type": "string" },
                        "clientSecret": { "type": "string", "description": "Absent for public clients." },
                        "secretIn": {
                          "enum": ["header", "body"],
                          "default": "header",
                          "description": "The part of token requests that carries the client's credentials."
                        },
                        "scope": { "type": "string", "description": "Scopes with spaces between them." },
                        "parameters": {
                          "description": "Further parameters of its requests, such as audience or resource.",
                          "$ref": "#/$defs/namedValues"
                        },
                        "username": { "type": "string" },
                        "password": { "type": "string" }
                      }
                    }
                  }
                },
                {
                  "type": "object",
                  "required": ["aws"],
                  "properties": {
                    "aws": {
                      "type": "object",
                      "description": "Signatures of AWS, version 4.",
                      "required": ["service"],
                      "anyOf": [
                        { "required": ["profile"] },
                        { "required": ["accessKeyID", "secretAccessKey", "region"] }
                      ],
                      "properties": {
                        "profile": {
                          "type": "string",
                          "description": "The profile in ~/.aws that has the keys, and the region where none is written."
                        },
                        "accessKeyID": { "type": "string" },
                        "secretAccessKey": { "type": "string" },
                        "sessionToken": { "type": "string", "description": "The token of temporary keys." },
                        "region": { "type": "string" },
                        "service": { "type": "string", "description": "The signing name: s3, execute-api." }
                      }
                    }
                  }
                },
                {
                  "type": "object",
                  "required": ["ntlm"],
                  "properties": {
                    "ntlm": {
                      "type": "object",
                      "description": "A user name and a password that is never sent, for a connection.",
                      "required": ["username", "password"],
                      "properties": {
                        "username": { "type": "string" },
                        "password": { "type": "string" },
                        "domain": { "type": "string", "description": "The Windows domain of the user." }
                      }
                    }
                  }
                },
                {
                  "type": "object",
                  "required": ["negotiate"],
                  "properties": {
                    "negotiate": {
                      "type": "object",
                      "description": "The Kerberos ticket of the user (RFC 4559), for a connection."
                    }
                  }
                },
                {
                  "type": "object",
                  "required": ["netrc"],
                  "properties": {
                    "netrc": {
                      "type": "object",
                      "description": "The user name and the password that a file has for the host, sent as Basic.",
                      "properties": {
                        "file": { "description": "$NETRC by default, or else ~/.netrc.", "$ref": "#/$defs/path" }
                      }
                    }
                  }
                }
              ]
            }
            """#)
    }
}
