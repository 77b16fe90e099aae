import OmbiDocument

/// The rules of a collection of Postman in format 2.1, as far as an export has its parts: required members, their types
/// and the words that Postman knows. Members that it does not know are refused, as it would drop them.
enum PostmanFormat {
    /// Returns each part of a collection that breaks a rule.
    static func faults(of text: String) throws -> [String] {
        let document = try JSONDocument(checking: Bytes(text.utf8))
        guard let root = document.firstRoot else { return ["no value"] }
        return try JSONSchema(try JSONValue.parse(schema)).failures(in: document, at: root).map { failure in
            "\(document.path(of: failure.node)): \(failure.expected) (\(failure.keyword))"
        }
    }

    private static let schema = #"""
        {
          "$ref": "#/$defs/collection",
          "$defs": {
            "collection": {
              "type": "object", "required": ["info", "item"], "additionalProperties": false,
              "properties": {
                "info": { "$ref": "#/$defs/info" }, "item": { "$ref": "#/$defs/items" },
                "event": { "type": "array", "items": { "$ref": "#/$defs/event" } },
                "variable": { "type": "array", "items": { "$ref": "#/$defs/variable" } },
                "auth": { "$ref": "#/$defs/auth" }, "protocolProfileBehavior": { "$ref": "#/$defs/behavior" }
              }
            },
            "info": {
              "type": "object", "required": ["name", "schema"], "additionalProperties": false,
              "properties": {
                "name": { "type": "string" }, "_postman_id": { "type": "string" },
                "description": { "$ref": "#/$defs/description" }, "version": { "type": "string" },
                "schema": { "const": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" }
              }
            },
            "description": { "type": ["string", "null"] },
            "items": {
              "type": "array",
              "items": {
                "if": { "required": ["item"] }, "then": { "$ref": "#/$defs/folder" },
                "else": { "$ref": "#/$defs/entry" }
              }
            },
            "folder": {
              "type": "object", "required": ["name", "item"], "additionalProperties": false,
              "properties": {
                "name": { "type": "string" }, "item": { "$ref": "#/$defs/items" },
                "description": { "$ref": "#/$defs/description" }, "auth": { "$ref": "#/$defs/auth" },
                "event": { "type": "array", "items": { "$ref": "#/$defs/event" } },
                "variable": { "type": "array", "items": { "$ref": "#/$defs/variable" } }
              }
            },
            "entry": {
              "type": "object", "required": ["request"], "additionalProperties": false,
              "properties": {
                "id": { "type": "string" }, "name": { "type": "string" }, "request": { "$ref": "#/$defs/request" },
                "description": { "$ref": "#/$defs/description" },
                "response": { "type": "array", "items": { "$ref": "#/$defs/response" } },
                "event": { "type": "array", "items": { "$ref": "#/$defs/event" } },
                "protocolProfileBehavior": { "$ref": "#/$defs/behavior" }
              }
            },
            "behavior": {
              "type": "object", "additionalProperties": false,
              "properties": {
                "disableBodyPruning": { "type": "boolean" }, "followRedirects": { "type": "boolean" },
                "maxRedirects": { "type": "integer", "minimum": 0 }, "strictSSL": { "type": "boolean" }
              }
            },
            "request": {
              "type": "object", "required": ["method", "url"], "additionalProperties": false,
              "properties": {
                "method": { "type": "string", "minLength": 1 }, "url": { "$ref": "#/$defs/url" },
                "auth": { "$ref": "#/$defs/auth" }, "description": { "$ref": "#/$defs/description" },
                "header": { "type": "array", "items": { "$ref": "#/$defs/header" } }, "body": { "$ref": "#/$defs/body" }
              }
            },
            "url": {
              "type": "object", "required": ["raw", "host"], "additionalProperties": false,
              "properties": {
                "raw": { "type": "string" }, "protocol": { "type": "string" }, "port": { "type": "string",
                "pattern": "^[0-9]+$" },
                "host": { "type": "array", "items": { "type": "string" } },
                "path": { "type": "array", "items": { "type": "string" } },
                "query": {
                  "type": "array",
                  "items": {
                    "type": "object", "required": ["key", "value"], "additionalProperties": false,
                    "properties": {
                      "key": { "type": ["string", "null"] }, "value": { "type": ["string", "null"] },
                      "disabled": { "type": "boolean" }, "description": { "$ref": "#/$defs/description" }
                    }
                  }
                },
                "variable": { "type": "array", "items": { "$ref": "#/$defs/variable" } }
              }
            },
            "header": {
              "type": "object", "required": ["key", "value"], "additionalProperties": false,
              "properties": {
                "key": { "type": "string" }, "value": { "type": "string" }, "disabled": { "type": "boolean" },
                "description": { "$ref": "#/$defs/description" }
              }
            },
            "variable": {
              "type": "object", "required": ["key"], "additionalProperties": false,
              "properties": {
                "key": { "type": "string" }, "value": true, "disabled": { "type": "boolean" },
                "type": { "enum": ["string", "boolean", "number", "any", "secret", "default"] },
                "description": { "$ref": "#/$defs/description" }
              }
            },
            "auth": {
              "type": "object", "required": ["type"], "maxProperties": 2,
              "properties": {
                "type": {
                  "enum": [
                    "apikey", "awsv4", "basic", "bearer", "digest", "edgegrid", "hawk", "noauth", "oauth1",
                    "oauth2", "ntlm"
                  ]
                }
              },
              "additionalProperties": { "type": "array", "items": { "$ref": "#/$defs/attribute" } },
              "allOf": [
                { "if": { "properties": { "type": { "const": "apikey" } } }, "then": { "required": ["apikey"] } },
                { "if": { "properties": { "type": { "const": "basic" } } }, "then": { "required": ["basic"] } },
                { "if": { "properties": { "type": { "const": "bearer" } } }, "then": { "required": ["bearer"] } },
                { "if": { "properties": { "type": { "const": "digest" } } }, "then": { "required": ["digest"] } },
                { "if": { "properties": { "type": { "const": "awsv4" } } }, "then": { "required": ["awsv4"] } }
              ]
            },
            "attribute": {
              "type": "object", "required": ["key", "value"], "additionalProperties": false,
              "properties": { "key": { "type": "string" }, "value": true, "type": { "type": "string" } }
            },
            "body": {
              "type": "object", "required": ["mode"], "additionalProperties": false,
              "properties": {
                "mode": { "enum": ["raw", "urlencoded", "formdata", "file", "graphql"] },
                "raw": { "type": "string" }, "urlencoded": { "type": "array", "items": { "$ref": "#/$defs/header" } },
                "formdata": { "type": "array", "items": { "$ref": "#/$defs/part" } },
                "file": {
                  "type": "object", "required": ["src"], "additionalProperties": false,
                  "properties": { "src": { "type": ["string", "null"] } }
                },
                "graphql": {
                  "type": "object", "required": ["query"], "additionalProperties": false,
                  "properties": {
                    "query": { "type": "string" }, "variables": { "type": "string" },
                    "operationName": { "type": "string" }
                  }
                },
                "options": {
                  "type": "object",
                  "properties": {
                    "raw": {
                      "type": "object", "required": ["language"],
                      "properties": { "language": { "enum": ["text", "json", "xml", "html", "javascript"] } }
                    }
                  }
                }
              },
              "oneOf": [
                { "required": ["raw"], "properties": { "mode": { "const": "raw" } } },
                { "required": ["urlencoded"], "properties": { "mode": { "const": "urlencoded" } } },
                { "required": ["formdata"], "properties": { "mode": { "const": "formdata" } } },
                { "required": ["file"], "properties": { "mode": { "const": "file" } } },
                { "required": ["graphql"], "properties": { "mode": { "const": "graphql" } } }
              ]
            },
            "part": {
              "type": "object", "required": ["key", "type"], "additionalProperties": false,
              "properties": {
                "key": { "type": "string" }, "type": { "enum": ["text", "file"] }, "value": { "type": "string" },
                "src": { "type": ["string", "null", "array"], "items": { "type": "string" } },
                "contentType": { "type": "string" }, "fileName": { "type": "string" },
                "disabled": { "type": "boolean" },
                "description": { "$ref": "#/$defs/description" }
              },
              "if": { "properties": { "type": { "const": "file" } } },
              "then": { "required": ["src"], "properties": { "value": false } },
              "else": { "required": ["value"], "properties": { "src": false } }
            },
            "event": {
              "type": "object", "required": ["listen", "script"], "additionalProperties": false,
              "properties": {
                "listen": { "enum": ["prerequest", "test"] }, "disabled": { "type": "boolean" },
                "script": {
                  "type": "object", "required": ["exec"], "additionalProperties": false,
                  "properties": {
                    "type": { "const": "text/javascript" }, "exec": { "type": "array", "items": { "type": "string" } }
                  }
                }
              }
            },
            "response": {
              "type": "object", "required": ["name"], "additionalProperties": false,
              "properties": {
                "name": { "type": "string" }, "status": { "type": "string" },
                "code": { "type": "integer", "minimum": 100, "maximum": 599 },
                "header": { "type": "array", "items": { "$ref": "#/$defs/header" } }, "body": { "type": ["string",
                "null"] },
                "originalRequest": { "$ref": "#/$defs/request" }, "cookie": { "type": "array" }
              }
            }
          }
        }
        """#
}
