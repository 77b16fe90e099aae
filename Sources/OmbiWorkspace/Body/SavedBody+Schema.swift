import OmbiDocument

extension SavedBody {
    /// The JSON Schema of the member `body`, with a choice for each kind.
    static var schema: JSONValue {
        Schema.json(
            #"""
            {
              "description": "The body of the request.",
              "type": "object",
              "oneOf": [
                {
                  "required": ["json"],
                  "properties": {
                    "json": {
                      "description": "Sent as application/json. A string that is one template with a kind, such as \"{{id:number}}\", becomes a number, a boolean or json."
                    }
                  }
                },
                {
                  "required": ["text"],
                  "properties": {
                    "text": { "type": "string", "description": "Sent unchanged, but for templates." },
                    "contentType": { "type": "string", "default": "text/plain; charset=utf-8" }
                  }
                },
                {
                  "required": ["form"],
                  "properties": {
                    "form": { "description": "Sent as application/x-www-form-urlencoded.", "$ref": "#/$defs/fields" }
                  }
                },
                {
                  "required": ["multipart"],
                  "properties": {
                    "multipart": {
                      "type": "array",
                      "description": "Sent as multipart/form-data, in this order.",
                      "items": { "$ref": "#/$defs/part" }
                    }
                  }
                },
                {
                  "required": ["file"],
                  "properties": {
                    "file": { "description": "Sent as it is, and read while it is sent.", "$ref": "#/$defs/path" },
                    "contentType": { "type": "string", "description": "By the extension by default." }
                  }
                },
                {
                  "required": ["graphql"],
                  "properties": {
                    "graphql": { "type": "string", "description": "A GraphQL document, sent as application/json with the rest." },
                    "variables": { "type": "object", "description": "The variables of the operation." },
                    "operationName": { "type": "string", "description": "The operation to run, of several." },
                    "schema": {
                      "description": "A file with the schema, as definitions or an introspection: it completes and checks the query.",
                      "$ref": "#/$defs/path"
                    }
                  }
                }
              ]
            }
            """#)
    }
}
