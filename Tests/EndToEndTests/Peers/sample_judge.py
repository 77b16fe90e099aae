"""Judges the samples that `ombi import` makes of an OpenAPI document: the bodies of its requests, and its responses.

Arguments: a document and the collection that is made of it, and more of these pairs. Prints a list for each document: the
samples that openapi-schema-validator refuses. Formats are not judged, and nothing where a schema cannot be read.
"""

import json
import os
import re
import sys
import urllib.parse

import yaml
from openapi_schema_validator import OAS30Validator, OAS31Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012


class Core(yaml.SafeLoader):
    """The core schema of YAML 1.2, but for numbers in other forms than those of JSON."""

    yaml_implicit_resolvers = {}


Core.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))
Core.add_implicit_resolver("tag:yaml.org,2002:null", re.compile("^(~|null|)$"), ["~", "n", ""])
Core.add_implicit_resolver("tag:yaml.org,2002:int", re.compile("^-?[0-9]+$"), list("-0123456789"))
Core.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^-?[0-9]+\.[0-9]+([eE][-+]?[0-9]+)?$"), list("-0123456789"))

FILES = {}


def plain(value, absent):
    """A value with texts as keys, without discriminators and without the properties that do not go this way."""
    if isinstance(value, list):
        return [plain(item, absent) for item in value]
    if not isinstance(value, dict):
        return value
    value = {str(key): plain(item, absent) for key, item in value.items() if key != "discriminator"}
    properties, required = value.get("properties"), value.get("required")
    if isinstance(properties, dict) and isinstance(required, list):
        gone = [name for name, item in properties.items() if isinstance(item, dict) and item.get(absent) is True]
        value["required"] = [name for name in required if name not in gone]
    return value


def load(path, absent):
    if (path, absent) not in FILES:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
        try:
            value = json.loads(text)
        except ValueError:
            value = next(yaml.load_all(text, Core))
        FILES[path, absent] = plain(value, absent)
    return FILES[path, absent]


def resolved(value, path, absent):
    """Follows references; returns the value and the file that it is in."""
    for _ in range(30):
        if not (isinstance(value, dict) and isinstance(value.get("$ref"), str)):
            break
        file, _, pointer = value["$ref"].partition("#")
        if file:
            path = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(file)))
        value = load(path, absent)
        for token in urllib.parse.unquote(pointer).split("/")[1:]:
            value, path = resolved(value, path, absent)
            token = token.replace("~1", "/").replace("~0", "~")
            value = value[int(token)] if isinstance(value, list) else value[token]
    return value, path


def fits(value, schema, path, version, absent):
    validator = OAS30Validator if version < "3.1" else OAS31Validator
    registry = Registry(
        retrieve=lambda uri: Resource(load(urllib.parse.unquote(uri[len("file://"):]), absent), DRAFT202012))
    whole = validator(schema, registry=registry)
    return whole.evolve(_resolver=registry.resolver("file://" + path)).is_valid(value)


def requests(items):
    for item in items:
        if "items" in item:
            yield from requests(item["items"])
        else:
            yield item


def shape(path):
    """A path without the names of its parameters."""
    path = re.sub(r"^\{\{[^}]*\}\}|^[a-z]+://[^/]*", "", path)
    return re.sub(r"\{\{[^}]*\}\}|\{[^}]*\}|:\w+", "*", path)


def operation(root, path, method, address, absent):
    """The operation with a method and most of an address, and the file that it is in."""
    paths, file = resolved(root.get("paths") or {}, path, absent)
    for name in sorted(paths, key=lambda name: -len(name)):
        if shape(address).endswith(shape(name)):
            item, place = resolved(paths[name], file, absent)
            if isinstance(item, dict) and method.lower() in item:
                return item[method.lower()], place
    return None, path


def schema(holder, version, body):
    if version < "3":
        return holder.get("schema")
    content = holder.get("content") or {}
    names = [name for name in content if "json" in name or "*" in name]
    exact = [name for name in names if name.split(";")[0].strip().lower() == "application/json"]
    return content[(exact or names)[0]].get("schema") if names else None


def refused(document, collection):
    with open(collection, encoding="utf-8") as file:
        items = json.load(file).get("items", [])
    found = []
    for request in requests(items):
        name = "%s %s" % (request.get("method", "GET"), request.get("path"))
        samples = [(example.get("status"), example.get("body")) for example in request.get("examples", [])
                   if example.get("name") == "From the schema"]
        if "json" in (request.get("body") or {}):
            samples.append((None, request["body"]["json"]))
        for status, body in samples:
            absent = "writeOnly" if status else "readOnly"
            try:
                root = load(document, absent)
                version = str(root.get("openapi") or root.get("swagger"))
                found_operation, place = operation(
                    root, document, request.get("method", "GET"), request["path"], absent)
                if status:
                    holder, place = resolved(found_operation["responses"][str(status)], place, absent)
                elif version < "3":
                    every = [resolved(item, place, absent) for item in found_operation["parameters"]]
                    holder, place = next(pair for pair in every if pair[0]["in"] == "body")
                else:
                    holder, place = resolved(found_operation["requestBody"], place, absent)
                rule = schema(holder, version, body)
                value = json.loads(body) if status else body
                if rule is not None and not fits(value, rule, place, version, absent):
                    found.append("%s %s" % (name, status or "body"))
            except Exception as error:
                print(document, name, repr(error)[:200], file=sys.stderr)
    return found


if __name__ == "__main__":
    pairs = list(zip(sys.argv[1::2], sys.argv[2::2]))
    print(json.dumps({document: refused(document, collection) for document, collection in pairs}))
