/// The screens that `DrawnScreenTests` compares with.
enum DrawnScreens {
    static let first = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ┏ 1 Requests ━━━━━━━━━━━━━━━━━━━━━━┱ 2 Request ────────────────────────────────────────────────────────────────────────╮
        ┃ ▾ demo                         3 ┃ GET http://127.0.0.1:8765/users                                                   │
        ┃  ▾ users                       3 ┃ Params  Headers  Body  Auth ↑env  Policy  Capture  Expect  Connection  About      │
        ┃    GET   list users              ┃ No parameters. Enter adds one; :name in the path makes one.                       │
        ┃    GET   user by id              ┃                                                                                   │
        ┃    POST  create user             ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┠ 3 Response ───────────────────────────────────────────────────────────────────────┤
        ┃                                  ┃ Body · Headers · Expect · Timeline · History · Statistics · Cookies · TLS · Sent  │
        ┃                                  ┃ Not sent yet. s sends it.                                                         │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/5 ━┹───────────────────────────────────────────────────────────────────────────────────╯
         s send  Enter open  / search  a add  R rename  E environment  w save  Tab pane  : commands  ? help  q quit
        """

    static let firstNarrow = """
         demo › users › list users                              local ▾  127.0.0.1:8765
        ┏ 1 Requests ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ ▾ demo                                                                     3 ┃
        ┃  ▾ users                                                                   3 ┃
        ┃    GET   list users                                                          ┃
        ┃    GET   user by id                                                          ┃
        ┃    POST  create user                                                         ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/5 ━┛
         s send  Enter open  / search  a add  R rename  : commands  ? help  q quit
        """

    /// The pane of the request with each of its tabs.
    static let tabs = [
        """
        ┲ 2 Request ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ GET http://127.0.0.1:8765/users/:id                                               ┃
        ┃     http://127.0.0.1:8765/users/42?expand=orders                                  ┃
        ┃ Params 2  Headers  Body  Auth ↑env  Policy 3×  Capture  Expect  Connection  About ┃
        ┃   :id       42  in the path                                                       ┃
        ┃ ✓ expand    orders                                                                ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┡ 3 Response ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
        """,
        """
        ┲ 2 Request ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ GET http://127.0.0.1:8765/users/:id                                               ┃
        ┃     http://127.0.0.1:8765/users/42?expand=orders                                  ┃
        ┃ Params 2  Headers  Body  Auth ↑env  Policy 3×  Capture  Expect  Connection  About ┃
        ┃ ↑ Authorization  Bearer {{token}}  from environment local                         ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┡ 3 Response ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
        """,
        """
        ┲ 2 Request ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ GET http://127.0.0.1:8765/users/:id                                               ┃
        ┃     http://127.0.0.1:8765/users/42?expand=orders                                  ┃
        ┃ Params 2  Headers  Body  Auth ↑env  Policy 3×  Capture  Expect  Connection  About ┃
        ┃   kind      none                                                                  ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┡ 3 Response ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
        """,
        """
        ┲ 2 Request ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ GET http://127.0.0.1:8765/users/:id                                               ┃
        ┃     http://127.0.0.1:8765/users/42?expand=orders                                  ┃
        ┃ Params 2  Headers  Body  Auth ↑env  Policy 3×  Capture  Expect  Connection  About ┃
        ┃   kind           inherit                                                          ┃
        ┃ ↑ Authorization  Bearer {{token}}  from environment local                         ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┡ 3 Response ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
        """,
        """
        ┲ 2 Request ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1/16 ↓ ━┓
        ┃ GET http://127.0.0.1:8765/users/:id                                               ┃
        ┃     http://127.0.0.1:8765/users/42?expand=orders                                  ┃
        ┃ Params 2  Headers  Body  Auth ↑env  Policy 3×  Capture  Expect  Connection  About ┃
        ┃   retries         3                                                               ┃
        ┃   SLA             2s                                                              ┃
        ┃   timeout         30s (default)                                                   ┃
        ┃   backoff first   none (default)                                                  ┃
        ┃   backoff factor  none (default)                                                  ┃
        ┃   backoff jitter  none (default)                                                  ┃
        ┃   retry on        connection, timeout, 408, 425, 429, 500, 502, 503, 504 (default)┃
        ┡ 3 Response ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
        """,
        """
        ┲ 2 Request ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ GET http://127.0.0.1:8765/users/:id                                               ┃
        ┃     http://127.0.0.1:8765/users/42?expand=orders                                  ┃
        ┃ Params 2  Headers  Body  Auth ↑env  Policy 3×  Capture  Expect  Connection  About ┃
        ┃ No captures. Enter adds one; c on a value of the response, too.                   ┃
        ┃ Enter adds a variable of this request.                                            ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┃                                                                                   ┃
        ┡ 3 Response ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
        """,
        """
        ┲ 2 Request ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1/8 ↓ ━┓
        ┃ GET http://127.0.0.1:8765/users/:id                                               ┃
        ┃     http://127.0.0.1:8765/users/42?expand=orders                                  ┃
        ┃ Params 2  Headers  Body  Auth ↑env  Policy 3×  Capture  Expect  Connection  About ┃
        ┃   status            for example 200, or 2xx 404                                   ┃
        ┃   within            for example 2s                                                ┃
        ┃   first attempt     for example 500ms                                             ┃
        ┃   size in bytes     for example <10000                                            ┃
        ┃   certificate days  for example 14                                                ┃
        ┃   JSON Schema       for example user.schema.json, or {"type": "object"}           ┃
        ┃ Enter expects a header.                                                           ┃
        ┡ 3 Response ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
        """,
        """
        ┲ 2 Request ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1/18 ↓ ━┓
        ┃ GET http://127.0.0.1:8765/users/:id                                               ┃
        ┃     http://127.0.0.1:8765/users/42?expand=orders                                  ┃
        ┃ Params 2  Headers  Body  Auth ↑env  Policy 3×  Capture  Expect  Connection  About ┃
        ┃   connect within  none (default)                                                  ┃
        ┃   proxy           that of http_proxy and https_proxy (default)                    ┃
        ┃   via             none (default)                                                  ┃
        ┃   CA file         those of the system (default)                                   ┃
        ┃   client cert     none (default)                                                  ┃
        ┃   client key      none (default)                                                  ┃
        ┃   key password    none (default)                                                  ┃
        ┡ 3 Response ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
        """,
        """
        ┲ 2 Request ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ GET http://127.0.0.1:8765/users/:id                                               ┃
        ┃     http://127.0.0.1:8765/users/42?expand=orders                                  ┃
        ┃ Params 2  Headers  Body  Auth ↑env  Policy 3×  Capture  Expect  Connection  About ┃
        ┃   name         user by id                                                         ┃
        ┃   description                                                                     ┃
        ┃   history      yes                                                                ┃
        ┃   folder runs  yes                                                                ┃
        ┃   may differ   for example $.updatedAt $.items[*].id                              ┃
        ┃   compression  none                                                               ┃
        ┃   tags                                                                            ┃
        ┡ 3 Response ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
        """,
    ]

    static let editing = """
         1 Requests › demo › users › user by id                 local ▾  127.0.0.1:8765
        ┏ 2 Request ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ GET http://127.0.0.1:8765/users/:id                                          ┃
        ┃     http://127.0.0.1:8765/users/42?expand=orders                             ┃
        ┃ Params 2  Headers  Body  Auth  Policy 3×  Capture  Expect  Connection  About ┃
        ┃   :id       42  in the path                                                  ┃
        ┃ ✓ expand    orders!                                                          ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┡ 3 Response ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
        │ Body  Headers  Expect  Timeline  History  Statistics  Cookies  TLS  Sent     │
        │ Not sent yet. s sends it.                                                    │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        ╰──────────────────────────────────────────────────────────────────────────────╯
         Enter submit  Tab next  Esc cancel
        """

    static let running = """
         demo › users › user by id                                                                 local ▾  127.0.0.1:8765  ↻ 1
        ┏ 1 Requests ━━━━━━━━━━━━━━━━━━━━━━┱ 2 Request ────────────────────────────────────────────────────────────────────────╮
        ┃ ▾ demo                         3 ┃ GET http://127.0.0.1:8765/users/:id                                               │
        ┃  ▾ users                       3 ┃     http://127.0.0.1:8765/users/42?expand=orders                                  │
        ┃    GET   list users              ┃ Params 2  Headers  Body  Auth ↑env  Policy 3×  Capture  Expect  Connection  About │
        ┃↻   GET   user by id              ┃   :id       42  in the path                                                       │
        ┃    POST  create user             ┃ ✓ expand    orders                                                                │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┠ 3 Response ─ running ─────────────────────────────────────────────────────────────┤
        ┃                                  ┃ Body · Headers 1 · Expect · Timeline · History · Statistics · Cookies · TLS · Sent│
        ┃                                  ┃     0                  125 ms              250 ms             375 ms       500 ms │
        ┃                                  ┃ 1   ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓                              │
        ┃                                  ┃     503 Service Unavailable · 312 ms · retried (status)                           │
        ┃                                  ┃                                                     ·····················         │
        ┃                                  ┃     waiting 0.1 s more (backoff) · r retries now                                  │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃     ░ resolve  ▒ connect  ▚ TLS  ▓ wait  █ receive                                │
        ┃                                  ┃     1 attempt · 450 ms · SLA 2s                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
         ↻ user by id  attempt 1/4 · waiting 0.1 s · ▓▓▓▓▓▓▓▓░░ SLA 1.6 s left
         x cancel  r retry now  + attempt  Enter open  / search  a add  R rename  E environment  : commands  ? help  q quit
        """

    static let finished = """
         demo › users › user by id                                                                      local ▾  127.0.0.1:8765
        ╭ 1 Requests ──────────────────────┬ 2 Request ────────────────────────────────────────────────────────────────────────╮
        │ ▾ demo                         3 │ GET http://127.0.0.1:8765/users/:id                                               │
        │  ▾ users                       3 │     http://127.0.0.1:8765/users/42?expand=orders                                  │
        │    GET   list users              │ Params 2  Headers  Body  Auth ↑env  Policy 3×  Capture  Expect  Connection  About │
        │✓   GET   user by id  200  705 ms │   :id       42  in the path                                                       │
        │    POST  create user             │ ✓ expand    orders                                                                │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  ┢ 3 Response ─ 200 OK · 705 ms · 65 B ─ attempt 2 of 4 · SLA 2s ━━━━━━━━━━━━━━━━━━━━┪
        │                                  ┃ Body  Headers 2  Expect  Timeline 2  History  Statistics  Cookies  TLS  Sent      ┃
        │                                  ┃ 1 {                                                                               ┃
        │                                  ┃ 2   "id": 42,                                                                     ┃
        │                                  ┃ 3   "name": "Ada",                                                                ┃
        │                                  ┃ 4   "tags": ["a", "b"],                                                           ┃
        │                                  ┃ 5   "active": true,                                                               ┃
        │                                  ┃ 6   "boss": null                                                                  ┃
        │                                  ┃ 7 }                                                                               ┃
        │                                  ┃                                                                                   ┃
        │                                  ┃                                                                                   ┃
        │                                  ┃                                                                                   ┃
        │                                  ┃                                                                                   ┃
        │                                  ┃                                                                                   ┃
        │                                  ┃                                                                                   ┃
        │                                  ┃                                                                                   ┃
        │                                  ┃                                                                                   ┃
        │                                  ┃                                                                                   ┃
        │                                  ┃                                                                                   ┃
        │                                  ┃ $                                                                            JSON ┃
        ╰──────────────────────────── 4/5 ─┺━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
         s send  Enter fold  / find  | filter  y copy  c capture  X expect  C path  S save as  : commands  ? help  q quit
        """

    static let refused = """
         1 Requests › demo › users › list users                 local ▾  127.0.0.1:8765
        ╭ 2 Request ───────────────────────────────────────────────────────────────────╮
        │ GET http://127.0.0.1:8765/users                                              │
        │ Params  Headers  Body  Auth ↑env  Policy  Capture  Expect  Connection  About │
        │ No parameters. Enter adds one; :name in the path makes one.                  │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        ┢ 3 Response ─ no response · 0.5 ms ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┪
        ┃ Body  Headers  Expect  Timeline  History  Statistics  Cookies  TLS  Sent     ┃
        ┃ could not connect to 127.0.0.1:1 (connection refused)                        ┃
        ┃ s sends it again · E switches the environment                                ┃
        ┃                                                                              ┃
        ┃     0                 2.5 ms            5 ms              7.5 ms       10 ms ┃
        ┃ 1   ▒▒▒  could not connect to 127.0.0.1:1 (connection refused) · 0.4 ms      ┃
        ┃                                                                              ┃
        ┃     ░ resolve  ▒ connect  ▚ TLS  ▓ wait  █ receive                           ┃
        ┃     1 attempt · 0.5 ms · SLA 2s                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
         s send  ] tab  E environment  w save  Tab pane  : commands  ? help  q quit
        """

    static let help = """
         demo › users › list users                              local ▾  127.0.0.1:8765
        ┏ 1 ┌─ Keys ───────────────────────────────────────────────────────────────┐━━━┓
        ┃ ▾ │ Most used here                                                       │ 3 ┃
        ┃  ▾│ s F5                Send the request; run the folder or the          │ 3 ┃
        ┃   │                     collection                                       │   ┃
        ┃   │ Enter               Open or close a folder; edit a request           │   ┃
        ┃   │ /                   Search the requests                              │   ┃
        ┃   │ a                   Add a request                                    │   ┃
        ┃   │ R                   Rename the item                                  │   ┃
        ┃   │ E                   Switch the environment                           │   ┃
        ┃   │ w                   Save the collection                              │   ┃
        ┃   │ Tab                 Go to the next pane                              │   ┃
        ┃   │ : Ctrl+P            Find a command, field, request or environment    │   ┃
        ┃   │ ?                   Show this help                                   │   ┃
        ┃   │                                                                      │   ┃
        ┃   │ Requests                                                             │   ┃
        ┃   │ Enter               Open or close a folder; edit a request           │   ┃
        ┃   │ Left h              Close the folder, or go to its parent            │   ┃
        ┃   │ Right l             Open the folder, or go to the request            │   ┃
        ┃   │ /                   Search the requests                              │   ┃
        ┃   │ a                   Add a request                                    │   ┃
        ┃   └─────────────────────────────────────────────────────────── 19/520 ↓ ─┘   ┃
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/5 ━┛
         / search  PageDown more  Esc close
        """

    static let picker = """
         demo › users › list users                              local ▾  127.0.0.1:8765
        ┏ 1 Requests ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ ▾ demo                                                                     3 ┃
        ┃  ▾ users                                                                   3 ┃
        ┃    GET   list users                                                          ┃
        ┃    GET   user by id                                                          ┃
        ┃    POST  create user                                                         ┃
        ┃                                                                              ┃
        ┃                ┌─ Environment of demo · Tab edits them ─────┐                ┃
        ┃                │ Type to filter                             │                ┃
        ┃                │                                            │                ┃
        ┃                │ local                http://127.0.0.1:8765 │                ┃
        ┃                │ live   protected · https://api.example.com │                ┃
        ┃                └────────────────────────────────────────────┘                ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/5 ━┛
         Enter choose  Esc close
        """

    static let question = """
         demo › users › list users copy ●                       local ▾  127.0.0.1:8765
        ┏ 1 Requests ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ ▾ demo ●                                                                   4 ┃
        ┃  ▾ users                                                                   4 ┃
        ┃    GET   list users                                                          ┃
        ┃    GET   list users copy ●                                                   ┃
        ┃    GET   user by id                                                          ┃
        ┃    POST  create user                                                         ┃
        ┃                                                                              ┃
        ┃               ┌─ Quit ──────────────────────────────────────┐                ┃
        ┃               │ Not saved: demo.json                        │                ┃
        ┃               │                                             │                ┃
        ┃               │ y save and quit   n quit without   Esc back │                ┃
        ┃               └─────────────────────────────────────────────┘                ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 4/6 ━┛
         y yes  n no  Esc back
        """

    static let broken = """
         demo.json
        ┏ 1 Requests ━━━━━━━━━━━━━━━━━━━━━━┱ 2 Request ────────────────────────────────────────────────────────────────────────╮
        ┃ ✗ demo.json                      ┃ demo.json could not be read:                                                      │
        ┃                                  ┃ line 4, column 14: expected a value or ']', found 'oops'                          │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃ Enter opens it in $EDITOR; the file stays as it is until then.                    │
        ┃                                  ┃                                                                                   │
        ┃                                  ┠ 3 Response ───────────────────────────────────────────────────────────────────────┤
        ┃                                  ┃ Body · Headers · Expect · Timeline · History · Statistics · Cookies · TLS · Sent  │
        ┃                                  ┃ Choose a request; s sends it.                                                     │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
         Could not read demo.json:4:14: expected a value or ']', found 'oops'
         Enter $EDITOR  / search  Tab pane  : commands  ? help  q quit
        """

    static let empty = """
               Ombi 0.1.0  an API explorer for the terminal
               No collections in this folder.

               Type or paste a URL or a curl command; Enter sends it.

               n       new collection
               o       open a file or a folder, also of Postman, OpenAPI, Bruno …
               Ctrl+O  import a curl command or a URL without sending it
               F1      read the manual
               ?       show all keys

         n new collection  o open  : commands  ? help  q quit
        """
}
