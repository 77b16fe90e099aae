"""The stories: what one does with Ombi all day."""

from daily.screen import Gone, is_gone
from daily.shop import World

# A step is keys and the texts that the screen has, or does not have, some time after them; or a function
# that does something else, or says whether something is so (a Check, asked until it is). Esc is the last key of a step:
# on a slow line, Esc and what follows at once are Alt and that key.


class Check:
    def __init__(self, name, condition):
        self.name, self.condition = name, condition


def paste(text):
    def act(world):
        world.screen.paste(text(world) if callable(text) else text)
    return act


def change(old, new):
    return lambda world: world.replace(old, new)


def document(old, new):
    return lambda world: world.replace(old, new, "collections/openapi.yaml")


def saved(text):
    return Check(f"{text!r} in the file", lambda world: text in world.read())


def copied(text):
    return Check(f"{text!r} in the clipboard", lambda world: text == world.screen.clipboard())


def drop(world):
    """A line that is cut; an Ombi at its far end notices some time after the terminal is gone."""
    world.screen.close()
    world.screen.wait_for(lambda: is_gone(int(world.read("pid"))) or None, "the end of Ombi")
    world.screen.open()


STORIES = {
    "explore the demo and send": (None, [
        ("", "list users", "127.0.0.1:"), ("s", "200 OK", '"items": ['), ("3 ]", "Content-Type"),
        ("] ]", "1 attempt"), ("] ] ] ] ]", "User-Agent"), ("[ [ [ [ [ [ [ [", '"items": ['), ("z", Gone("2 Request ─")), ("z", "2 Request ─")]),
    "edit a request and save": (World.shop, [
        ("", "all users"), ('2 Enter End "/7" Enter', "all users ●", "/users/7"), ("s", '"path": "/users/7"'),
        ("w", Gone("●")), saved('"path": "/users/7"'), saved('"request": "one user"')]),
    "find a request among 1,000": (World.orders, [
        ("", "1000"), ('/ "order 777"', "/ order 777"), ("Enter", "› order 777"), ("s", '"path": "/orders/777"')]),
    "switch the environment": (World.shop, [
        ("", "local ▾"), ("E", "guarded", "staging"), ('"stag" Enter', "staging ▾"), ("s", '"stage": "staging"')]),
    "edit an environment": (World.shop, [
        ("", "local ▾"), ("E Tab", "Environments of shop"), ("j j j j j j Enter", "name of the header"),
        ('"X-Team" Tab "core" Enter', "X-Team", "core"), ("w", Gone("●")), saved('"X-Team": "core"'),
        ("Escape", Gone("Environments of shop")), ("s", "200 OK"), ("3 [", "X-Team", "core")]),
    "paste a curl command": (World.shop, [
        ("", "all users"),
        paste(lambda world: f"curl -X POST 'http://127.0.0.1:{world.port}/carts?dry=1' \\\n -H 'X-Stage: pasted' -d '{{\"a\": 1}}'"),
        ("", "/carts", "POST  carts"), ("s", "201 Created", '"stage": "pasted"'), ("w", Gone("●")), saved('"X-Stage"')]),
    "undo and redo": (World.shop, [
        ("", "one user"), ("j d", Gone("GET   one user")), ("k u", "GET   one user"), ("U", Gone("GET   one user")),
        ("u", "GET   one user"), ("g j d", "Delete the folder"), ("y", Gone("all users")), ("u", "GET   all users", Gone("●"))]),
    "follow a retry and cancel it": (World.shop, [
        # Of the five minutes of the wait; "waiting for the response" comes before.
        ("", "busy"), ('/ "busy" Enter s', "attempt 1/9", "waiting 29", "x cancel"), ("r", "attempt 2/9", "waiting 29"),
        ("+", "attempt 2/10"), ("r", "attempt 3/10"), ("x", "cancelled", Gone("x cancel")), ("3", "503 Service Unavailable", "waited")]),
    "run a folder": (World.shop, [
        ("", "all users"), ("g j s", "3 requests to local", "Stop at first failure"),
        ('Tab "2" Enter', "6 of 6 done", "all passed", "one user (2 of 2)"), ("Escape", Gone("6 of 6 done"), "all users")]),
    "search a response of 10 MB": (World.shop, [
        ("", "large"), ('/ "large" Enter s', "200 OK", "MB"), ('3 / "needle"', "1 of 1"), ("Enter", '"needle": "found"'),
        ("g", "lorem ipsum"), ("n", '"last": true')]),
    "fold, and copy a value": (World.shop, [
        ("", "all users"), ("s", '"city": "Oslo"'), ("3 g j j j Enter", Gone('"city"')), ("Enter", '"city": "Oslo"'),
        ('/ "Oslo"', "1 of 1"), ("Enter y", "$.user.city"), copied("Oslo"), ("C",), copied("$.user.city")]),
    "compare two responses": (World.shop, [
        ("", "count"), ('/ "count" Enter s', '"number '), ("s 3", '"number 2"'), ("D", '"number 1"', '"number 2"', '"seen"'),
        ("Escape", Gone('"number 1"'), '"number 2"')]),
    "what was sent in the last hour": (World.shop, [
        ("", "all users"), ("s", "200 OK"), ("H", "History 1"), ("H", "History of all requests", "1 of 1"),
        ('/ "since:1h status:2xx"', "1 of 1"), ("Enter Enter", Gone("History of all requests"), "1 of 1, ", " ago)")]),
    "which backend, since which deploy": (None, [
        ("", "list users"), (': "error budgets" Enter', "Error budgets", "burn rate"), ("Escape", Gone("Error budgets")),
        (': "before and after" Enter', "deploy 1.4.2", "by address", "10.0.3.7"), ("Escape", Gone("by address"))]),
    "a server that is down": (World.shop, [
        ("", "local ▾"), ('E "down" Enter', "down ▾"), ("s", "connection refused", "no response"),
        ('E "local" Enter', "local ▾"), ("s", "200 OK")]),
    "a file with a mistake": (World.broken, [
        ("", "✗ shop.json", "write POST", "line "), ("Enter", "▾ users", "new user"), saved('"method": "POST"')]),
    "a file that changes underneath": (World.shop, [
        ("", "all users"), change('"all users"', '"every user"'), ("", "every user", Gone("all users")),
        ('2 Enter End "/mine" Enter', "every user ●"), change('"one user"', '"single user"'), ("", "single user", "/users/mine"),
        change('"path": "/users"\n', '"path": "/theirs"\n'), ("w", "changed here and on disk", "/theirs", "/users/mine"),
        ("m Enter", Gone("changed here and on disk")), ("w", Gone("●")), saved("/users/mine"), saved("single user")]),
    "a document that changes under its requests": (World.living, [
        ("", "Get a user"), ("s", '"path": "/users/7"'), document("/users/", "/people/"), ("", "/people/:id"),
        ("s", '"path": "/people/7"'), document("getUser", "readUser"), ("", "has no operation", "/people/:id"),
        ("s", "operation: ./openapi.yaml has no operation")]),
    "the editor of a body": (World.shop, [
        ("", "new user"), ('/ "new" Enter 2 ] ] j Enter', "JSON ✓"), ("C-r", "with"), ('"London" Tab "Paris" Enter', '"city": "Paris"'),
        ("Escape", Gone("with Paris"), '"city": "Paris"'), ("C-z", '"city": "London"'), ("C-y", '"city": "Paris"'),
        ("M-M", '{"name":"Ada","city":"Paris"}'), ("F5", "201 Created"), ("Escape", "kind"), ("w", Gone("●")), saved("Paris")]),
    "the palette": (World.shop, [
        ("", "all users"), (': "new user"', "POST"), ("Enter", "› new user"), ('C-p "stag"', "staging"), ("Enter", "staging ▾"),
        (': "toggle full"', "Toggle full screen"), ("Enter", Gone("2 Request ─"))]),
    "searching the help": (World.shop, [
        ("", "all users"), ("?", "Add a folder"), ('/ "jsonpath"', "Filter with JSONPath", Gone("Add a folder")),
        ("Escape", "Add a folder"), ("Escape", Gone("Add a folder"), "all users")]),
    "the manual": (World.shop, [
        ("", "all users"), ("F1", "Contents", "Common tasks"), ('/ "high-contrast"', "at least 7:1"), ("Enter", "at least 7:1", "n next"),
        ("Escape", Gone("─ Manual"))]),
    "the keys of vim": (World.vim, [
        ("", "all users"), ("j d", "Esc cancel"), ("d", Gone("GET   one user")), ("u", "GET   one user"), ("g g j j", "› all users"),
        ("G", "› busy")]),
    "the log of messages": (World.shop, [
        ("", "one user"), ("j d", Gone("GET   one user")), ("k u", "GET   one user"), ("L", "Deleted one user", "Undone"),
        ("Escape", Gone("Deleted one user"))]),
    "a protected environment": (World.shop, [
        ("", "local ▾"), ('E "guard" Enter', "protected ▾"), ('/ "new" Enter s', "Type its name"), ('"local" Enter', "not its name"),
        ('C-u "guarded" Enter', "201 Created")]),
    "Esc, and Esc again at once": (World.shop, [
        ("", "all users"), *[('? / "duplicate" Enter', "─ Keys ─", "/duplicate"), ("Escape Escape", Gone("─ Keys ─"))] * 8]),
    "a line that drops": (World.shop, [
        ("", "all users"), ('2 ] a "X-Half" Tab "typed"', "typed"), drop, ("", "unsaved edits"), ("y", "all users ●"),
        ("2", "X-Half", "typed")]),
}
