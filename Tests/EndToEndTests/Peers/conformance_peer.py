"""A server whose responses meet its OpenAPI document or differ from it, each on purpose, and schemathesis as their judge.

document VERSION   prints the document of a version: 2.0, 3.0.3, 3.1.0 or 3.2.0
serve              answers on the socket that is the standard input
judge VERSION URL  sends each operation and prints the checks that its response fails
"""

import http.server
import json
import socket
import sys

TEXT = {"type": "string"}
USER = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}, "name": TEXT}}
CLOSED = {"type": "object", "properties": {"id": {"type": "integer"}}, "additionalProperties": False}
CAT = {"type": "object", "required": ["meow"], "properties": {"meow": {"type": "boolean"}}}
DOG = {"type": "object", "required": ["bark"], "properties": {"bark": {"type": "boolean"}}}
PETS = {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}]}
READ = {
    "type": "object",
    "required": ["id", "secret"],
    "properties": {"id": {"type": "integer", "readOnly": True}, "secret": {"type": "string", "writeOnly": True}},
}
JSON = "application/json"


def one(schema, type=JSON, status="200"):
    """The responses of an operation with one status and one content type."""
    return {status: {"description": "ok", "content": {type: {"schema": schema}}}}


def member(schema):
    return {"type": "object", "properties": {"value": schema}}


def format(name):
    return member({"type": "string", "format": name})


# The name of the operation, the responses of the document, and the status, the content type and the body that are sent.
COMMON = [
    ("valid", one(USER), 200, JSON, '{"id": 1, "name": "Ada"}'),
    ("wrongType", one(USER), 200, JSON, '{"id": "1"}'),
    ("missingRequired", one(USER), 200, JSON, '{"name": "Ada"}'),
    ("notAnObject", one(USER), 200, JSON, "[1]"),
    ("wholeFloat", one(USER), 200, JSON, '{"id": 1.0}'),
    ("fraction", one(USER), 200, JSON, '{"id": 1.5}'),
    ("noJSON", one(USER), 200, JSON, "oops"),
    ("emptyBody", one(USER), 200, JSON, ""),
    ("reference", one({"$ref": "#/components/schemas/Cat"}), 200, JSON, '{"meow": 1}'),
    ("listOfReferences", one({"type": "array", "items": {"$ref": "#/components/schemas/Cat"}}), 200, JSON,
     '[{"meow": true}, {"meow": null}]'),
    ("nullWhereNone", one(USER), 200, JSON, '{"id": 1, "name": null}'),
    ("extraProperty", one(CLOSED), 200, JSON, '{"id": 1, "more": true}'),
    ("extraOfOpen", one(USER), 200, JSON, '{"id": 1, "more": true}'),
    ("tooLong", one(member({"type": "string", "maxLength": 2})), 200, JSON, '{"value": "abc"}'),
    ("wideLength", one(member({"type": "string", "maxLength": 2})), 200, JSON, '{"value": "😀😀"}'),
    ("pattern", one(member({"type": "string", "pattern": "^[a-z]+$"})), 200, JSON, '{"value": "A1"}'),
    ("patternInside", one(member({"type": "string", "pattern": "[0-9]"})), 200, JSON, '{"value": "A1"}'),
    ("belowMinimum", one(member({"type": "integer", "minimum": 5})), 200, JSON, '{"value": 4}'),
    ("notMultiple", one(member({"type": "number", "multipleOf": 0.01})), 200, JSON, '{"value": 0.015}'),
    ("multiple", one(member({"type": "number", "multipleOf": 0.01})), 200, JSON, '{"value": 19.99}'),
    ("otherThanEnum", one(member({"type": "string", "enum": ["a", "b"]})), 200, JSON, '{"value": "c"}'),
    ("twins", one({"type": "array", "items": {}, "uniqueItems": True}), 200, JSON, "[1, 1.0]"),
    ("readAndWrite", one(READ), 200, JSON, '{"id": 1}'),
    ("readOnlyMissing", one(READ), 200, JSON, '{}'),
    ("undocumentedStatus", one(USER), 418, JSON, '{"id": 1}'),
    ("undocumentedSuccess", one(USER), 202, JSON, '{"id": 1}'),
    ("noDocumentedSuccess", one(USER, status="404"), 200, JSON, '{"id": 1}'),
    ("documentedFailure", {**one(USER), **one(USER, status="404")}, 404, JSON, '{"id": 1}'),
    ("wrongFailure", {**one(USER), **one(USER, status="404")}, 404, JSON, '{"id": "x"}'),
    ("default", {"default": one(USER)["200"]}, 200, JSON, '{"id": "x"}'),
    ("defaultOfOthers", {**one(USER), "default": one(CLOSED)["200"]}, 201, JSON, '{"more": 1}'),
    ("wrongContentType", one(USER), 200, "text/html", "<p>oops</p>"),
    ("contentTypeOfJSON", one(USER), 200, "text/plain", '{"id": 1}'),
    ("noContentType", one(USER), 200, None, '{"id": 1}'),
    ("parameters", one(USER), 200, "Application/JSON; charset=utf-8", '{"id": 1}'),
    ("suffix", one(USER), 200, "application/problem+json", '{"id": 1}'),
    ("text", one(TEXT, "text/plain"), 200, "text/plain; charset=utf-8", "hello"),
    ("jsonForText", one(TEXT, "text/plain"), 200, JSON, '"hello"'),
    ("emptyText", one(TEXT, "text/plain"), 200, None, ""),
    ("noContent", {"204": {"description": "none"}}, 204, None, ""),
    ("bodyWithoutSchema", {"200": {"description": "any"}}, 200, JSON, "{}"),
    ("dateTime", one(format("date-time")), 200, JSON, '{"value": "2024-02-30T25:00:00Z"}'),
    ("dateTimeRight", one(format("date-time")), 200, JSON, '{"value": "2024-02-29T23:59:59.5+01:00"}'),
    ("date", one(format("date")), 200, JSON, '{"value": "01.02.2024"}'),
    ("dateRight", one(format("date")), 200, JSON, '{"value": "2024-02-29"}'),
    ("email", one(format("email")), 200, JSON, '{"value": "nobody"}'),
    ("uuid", one(format("uuid")), 200, JSON, '{"value": "123"}'),
    ("uuidRight", one(format("uuid")), 200, JSON, '{"value": "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"}'),
    ("ipv4", one(format("ipv4")), 200, JSON, '{"value": "256.1.1.1"}'),
    ("ipv6", one(format("ipv6")), 200, JSON, '{"value": "1::2::3"}'),
    ("uri", one(format("uri")), 200, JSON, '{"value": "no uri"}'),
    ("hostname", one(format("hostname")), 200, JSON, '{"value": "-a_b"}'),
    ("time", one(format("time")), 200, JSON, '{"value": "25:00"}'),
    ("unknownFormat", one(format("color")), 200, JSON, '{"value": "red"}'),
    ("password", one(format("password")), 200, JSON, '{"value": ""}'),
    ("int32", one(member({"type": "integer", "format": "int32"})), 200, JSON, '{"value": 4294967296}'),
    ("int64", one(member({"type": "integer", "format": "int64"})), 200, JSON, '{"value": 18446744073709551616}'),
    ("byte", one(format("byte")), 200, JSON, '{"value": "***"}'),
]
THREE = [
    ("hundreds", one(USER, status="2XX"), 201, JSON, '{"id": "x"}'),
    ("hundredsUndocumented", one(USER, status="2XX"), 301, JSON, '{"id": 1}'),
    ("codeBeforeHundreds", {**one(CLOSED, status="201"), **one(USER, status="2XX")}, 201, JSON, "{}"),
    ("none", one(PETS), 200, JSON, "{}"),
    ("oneOf", one(PETS), 200, JSON, '{"bark": true}'),
    ("both", one(PETS), 200, JSON, '{"bark": true, "meow": true}'),
    ("not", one({"not": {"type": "object"}}), 200, JSON, "{}"),
    ("range", one(USER, "application/*"), 200, "application/problem+json", '{"id": "x"}'),
    ("anyRange", one(USER, "*/*"), 200, "text/plain", "hello"),
    ("otherThanRange", one(USER, "application/*"), 200, "text/plain", "hello"),
    ("ofSeveralTypes",
     {"200": {"description": "ok", "content": {"text/plain": {"schema": TEXT}, JSON: {"schema": USER}}}},
     200, JSON, '{"id": "x"}'),
    ("noneOfSeveralTypes",
     {"200": {"description": "ok", "content": {"text/plain": {"schema": TEXT}, JSON: {"schema": USER}}}},
     200, "text/html", "<p>oops</p>"),
    ("problem", one(USER, "application/problem+json"), 200, "application/problem+json", '{"id": "x"}'),
]
ZERO = [
    ("nullable", one(member({"type": "string", "nullable": True})), 200, JSON, '{"value": null}'),
    ("nullableEnum", one(member({"type": "string", "nullable": True, "enum": ["a"]})), 200, JSON, '{"value": null}'),
    ("nullableOfReference", one(member({"allOf": [{"$ref": "#/components/schemas/Cat"}], "nullable": True})), 200, JSON,
     '{"value": null}'),
    ("nullableAlone", one(member({"nullable": True, "minLength": 3})), 200, JSON, '{"value": null}'),
    ("exclusive", one(member({"type": "integer", "minimum": 5, "exclusiveMinimum": True})), 200, JSON, '{"value": 5}'),
    ("sibling", one(member({"$ref": "#/components/schemas/Cat", "maxProperties": 0})), 200, JSON,
     '{"value": {"meow": true}}'),
]
ONE = [
    ("typeList", one(member({"type": ["string", "null"]})), 200, JSON, '{"value": null}'),
    ("typeListWrong", one(member({"type": ["string", "null"]})), 200, JSON, '{"value": 1}'),
    ("nullableIgnored", one(member({"type": "string", "nullable": True})), 200, JSON, '{"value": null}'),
    ("const", one(member({"const": "a"})), 200, JSON, '{"value": "b"}'),
    ("exclusiveNumber", one(member({"type": "integer", "exclusiveMinimum": 5})), 200, JSON, '{"value": 5}'),
    ("siblingHolds", one(member({"$ref": "#/components/schemas/Cat", "maxProperties": 0})), 200, JSON,
     '{"value": {"meow": true}}'),
    ("unevaluated", one({"allOf": [USER], "unevaluatedProperties": False}), 200, JSON, '{"id": 1, "more": 1}'),
    ("condition", one({"if": {"required": ["a"]}, "then": {"required": ["b"]}}), 200, JSON, '{"a": 1}'),
    ("dependent", one({"dependentRequired": {"a": ["b"]}}), 200, JSON, '{"a": 1}'),
    ("patternProperties", one({"type": "object", "patternProperties": {"^x-": TEXT}}), 200, JSON, '{"x-a": 1}'),
    ("localDefinition", one({"$defs": {"n": {"type": "integer"}}, "properties": {"value": {"type": "integer"}}}), 200,
     JSON, '{"value": "x"}'),
    ("closed", one(False), 200, JSON, "1"),
]


def cases(version):
    if version.startswith("2"):
        return COMMON
    return COMMON + THREE + (ZERO if version.startswith("3.0") else ONE)


def former(value):
    """The form of OpenAPI 2.0 of a response or a schema."""
    if isinstance(value, dict):
        return {key: former(item) for key, item in value.items() if key != "writeOnly"}
    if isinstance(value, list):
        return [former(item) for item in value]
    return value.replace("#/components/schemas/", "#/definitions/") if isinstance(value, str) else value


def operation(version, name, responses):
    if not version.startswith("2"):
        return {"operationId": name, "responses": responses}
    types = {type for response in responses.values() for type in response.get("content", {})}
    result = {"operationId": name, "responses": {}, "produces": sorted(types)}
    for status, response in responses.items():
        result["responses"][status] = {"description": response["description"]}
        for content in response.get("content", {}).values():
            result["responses"][status]["schema"] = former(content["schema"])
    return result


def document(version):
    schemas = {"Cat": CAT, "Dog": DOG}
    paths = {f"/{version}/{case[0]}": {"get": operation(version, case[0], case[1])} for case in cases(version)}
    top = {"info": {"title": "Conformance", "version": "1"}, "paths": paths}
    if version.startswith("2"):
        return {"swagger": version, "definitions": schemas, **top}
    return {"openapi": version, "components": {"schemas": schemas}, **top}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        _, version, name = self.path.split("?")[0].split("/")
        _, _, status, type, body = next(case for case in cases(version) if case[0] == name)
        self.send_response(status)
        if type:
            self.send_header("Content-Type", type)
        content = body.encode()
        if status != 204:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler, bind_and_activate=False)
    server.socket.close()
    server.socket = socket.socket(fileno=0)
    server.serve_forever()


def judge(version, url):
    import schemathesis
    from schemathesis.checks import CHECKS, load_all_checks
    from schemathesis.core.failures import Failure, FailureGroup

    load_all_checks()
    names = ["status_code_conformance", "content_type_conformance", "response_schema_conformance"]
    schema = schemathesis.openapi.from_dict(document(version))
    result = {}
    for name, *_ in cases(version):
        case = schema[f"/{version}/{name}"]["GET"].Case()
        response = case.call(base_url=url)
        result[name] = []
        for check in names:
            try:
                case.validate_response(response, checks=CHECKS.get_by_names([check]))
            except (Failure, FailureGroup) as failure:
                result[name].append(check)
                if "-v" in sys.argv:
                    print(name, check, failure, getattr(failure, "exceptions", ""), file=sys.stderr)
    print(json.dumps(result))


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    if command == "document":
        print(json.dumps(document(arguments[0])))
    elif command == "serve":
        serve()
    else:
        judge(*arguments[:2])
