/// The screens that `DrawnScreenTests` compares with.
enum DrawnScreens {
    static let first = """
        ┌ Collections ─────────────────────┐┌ Request ─ list users ────────────────────────────────────────────────── local ▾ ─┐
        │ ▾ demo                           ││ GET http://127.0.0.1:8765/users                                                  │
        │  ▾ users                         ││ Params · Headers · Body · Auth ↑env · Policy · About                             │
        │    GET   list users              ││ No parameters. a adds one; :name in the path makes one.                          │
        │    GET   user by id              ││                                                                                  │
        │    POST  create user             ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  │├ Response ────────────────────────────────────────────────────────────────────────┤
        │                                  ││ Body · Headers · Timeline · Sent                                                 │
        │                                  ││ Not sent yet. s sends it.                                                        │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        └──────────────────────────────────┘└──────────────────────────────────────────────────────────────────────────────────┘
                                           Enter open  a add  R rename  s send  E environment  w save  Tab pane  ? help  q quit
        """

    static let firstNarrow = """
        ┌ Collections ─────────────────────┐┌ Request ─ list users ────────── local ▾ ─┐
        │ ▾ demo                           ││ GET http://127.0.0.1:8765/users          │
        │  ▾ users                         ││ Params · Headers · Body · Auth ↑env · Po…│
        │    GET   list users              ││ No parameters. a adds one; :name in the …│
        │    GET   user by id              ││                                          │
        │    POST  create user             ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  │├ Response ────────────────────────────────┤
        │                                  ││ Body · Headers · Timeline · Sent         │
        │                                  ││ Not sent yet. s sends it.                │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        └──────────────────────────────────┘└──────────────────────────────────────────┘
             Enter open  a add  R rename  s send  E environment  w save  ? help  q quit
        """

    /// The pane of the request with each of its tabs.
    static let tabs = [
        """
        ┌ Request ─ user by id ────────────────────────────────────────────────── local ▾ ─┐
        │ GET http://127.0.0.1:8765/users/:id                                              │
        │     http://127.0.0.1:8765/users/42?expand=orders                                 │
        │ Params 2 · Headers · Body · Auth ↑env · Policy 3× · About                        │
        │   :id       42  in the path                                                      │
        │ ✓ expand    orders                                                               │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        ├ Response ────────────────────────────────────────────────────────────────────────┤
        """,
        """
        ┌ Request ─ user by id ────────────────────────────────────────────────── local ▾ ─┐
        │ GET http://127.0.0.1:8765/users/:id                                              │
        │     http://127.0.0.1:8765/users/42?expand=orders                                 │
        │ Params 2 · Headers · Body · Auth ↑env · Policy 3× · About                        │
        │ ↑ Authorization  Bearer {{token}}  from environment local                        │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        ├ Response ────────────────────────────────────────────────────────────────────────┤
        """,
        """
        ┌ Request ─ user by id ────────────────────────────────────────────────── local ▾ ─┐
        │ GET http://127.0.0.1:8765/users/:id                                              │
        │     http://127.0.0.1:8765/users/42?expand=orders                                 │
        │ Params 2 · Headers · Body · Auth ↑env · Policy 3× · About                        │
        │   kind      none                                                                 │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        ├ Response ────────────────────────────────────────────────────────────────────────┤
        """,
        """
        ┌ Request ─ user by id ────────────────────────────────────────────────── local ▾ ─┐
        │ GET http://127.0.0.1:8765/users/:id                                              │
        │     http://127.0.0.1:8765/users/42?expand=orders                                 │
        │ Params 2 · Headers · Body · Auth ↑env · Policy 3× · About                        │
        │   kind           inherit                                                         │
        │ ↑ Authorization  Bearer {{token}}  from environment local                        │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        ├ Response ────────────────────────────────────────────────────────────────────────┤
        """,
        """
        ┌ Request ─ user by id ────────────────────────────────────────────────── local ▾ ─┐
        │ GET http://127.0.0.1:8765/users/:id                                              │
        │ Params 2 · Headers · Body · Auth ↑env · Policy 3× · About                        │
        │   retries         3                                                              │
        │   SLA             2s                                                             │
        │   timeout         30s (default)                                                  │
        │   backoff first   none (default)                                                 │
        │   backoff factor  none (default)                                                 │
        │   backoff jitter  none (default)                                                 │
        │   retry on        connection, timeout, 408, 425, 429, 500, 502, 503, 504 (defaul…│
        │   expect status                                                                  │
        │   expect within                                                                  │
        ├ Response ────────────────────────────────────────────────────────────────────────┤
        """,
        """
        ┌ Request ─ user by id ────────────────────────────────────────────────── local ▾ ─┐
        │ GET http://127.0.0.1:8765/users/:id                                              │
        │     http://127.0.0.1:8765/users/42?expand=orders                                 │
        │ Params 2 · Headers · Body · Auth ↑env · Policy 3× · About                        │
        │   name         user by id                                                        │
        │   description                                                                    │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        │                                                                                  │
        ├ Response ────────────────────────────────────────────────────────────────────────┤
        """,
    ]

    static let editing = """
        ┌ Request ─ user by id ────────────────────────────────────────────── local ▾ ─┐
        │ GET http://127.0.0.1:8765/users/:id                                          │
        │ Params 2 · Headers · Body · Auth ↑env · Policy 3× · About                    │
        │   :id       42  in the path                                                  │
        │ ✓ expand    orders!                                                          │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        ├ Response ────────────────────────────────────────────────────────────────────┤
        │ Body · Headers · Timeline · Sent                                             │
        │ Not sent yet. s sends it.                                                    │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        │                                                                              │
        └──────────────────────────────────────────────────────────────────────────────┘
                                                    Enter submit  Tab next  Esc discard
        """

    static let running = """
        ┌ Collections ─────────────────────┐┌ Request ─ user by id ────────────────────────────────────────────────── local ▾ ─┐
        │ ▾ demo                           ││ GET http://127.0.0.1:8765/users/:id                                              │
        │  ▾ users                         ││     http://127.0.0.1:8765/users/42?expand=orders                                 │
        │    GET   list users              ││ Params 2 · Headers · Body · Auth ↑env · Policy 3× · About                        │
        │↻   GET   user by id              ││   :id       42  in the path                                                      │
        │    POST  create user             ││ ✓ expand    orders                                                               │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  │├ Response ─ running ──────────────────────────────────────────────────────────────┤
        │                                  ││ Body · Headers · Timeline · Sent                                                 │
        │                                  ││     0                  125 ms             250 ms             375 ms       500 ms │
        │                                  ││ 1   ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓                              │
        │                                  ││     503 Service Unavailable · 312 ms · retried (status)                          │
        │                                  ││                                                    ·····················         │
        │                                  ││     waiting 0.1 s more (backoff) · r retries now                                 │
        │                                  ││                                                                                  │
        │                                  ││     ░ resolve  ▒ connect  ▒ TLS  ▓ wait  █ receive                               │
        │                                  ││     1 attempt · 450 ms of 2s SLA                                                 │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        └──────────────────────────────────┘└──────────────────────────────────────────────────────────────────────────────────┘
         ↻ user by id  attempt 1/4 · waiting 0.1 s · ▓▓▓▓▓▓▓▓░░ SLA 1.6 s left            x cancel  r retry now  ? help  q quit
        """

    static let finished = """
        ┌ Collections ─────────────────────┐┌ Request ─ user by id ────────────────────────────────────────────────── local ▾ ─┐
        │ ▾ demo                           ││ GET http://127.0.0.1:8765/users/:id                                              │
        │  ▾ users                         ││     http://127.0.0.1:8765/users/42?expand=orders                                 │
        │    GET   list users              ││ Params 2 · Headers · Body · Auth ↑env · Policy 3× · About                        │
        │✓   GET   user by id              ││   :id       42  in the path                                                      │
        │    POST  create user             ││ ✓ expand    orders                                                               │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  │├ Response ─ 200 OK · 705 ms · 65 B ─ attempt 2 of 4 · SLA 2s ─────────────────────┤
        │                                  ││ Body · Headers 2 · Timeline 2 · Sent                                             │
        │                                  ││ 1 {                                                                              │
        │                                  ││ 2   "id": 42,                                                                    │
        │                                  ││ 3   "name": "Ada",                                                               │
        │                                  ││ 4   "tags": ["a", "b"],                                                          │
        │                                  ││ 5   "active": true,                                                              │
        │                                  ││ 6   "boss": null                                                                 │
        │                                  ││ 7 }                                                                              │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││ $                                                                           JSON │
        └──────────────────────────────────┘└──────────────────────────────────────────────────────────────────────────────────┘
                Enter fold  / find  | filter  y copy  S save as  t text  v select  ] tab  s send  E environment  ? help  q quit
        """

    static let refused = """
        ┌ Collections ─────────────────────┐┌ Request ─ list users ────────── local ▾ ─┐
        │ ▾ demo                           ││ GET http://127.0.0.1:8765/users          │
        │  ▾ users                         ││ Params · Headers · Body · Auth ↑env · Po…│
        │✗   GET   list users              ││ No parameters. a adds one; :name in the …│
        │    GET   user by id              ││                                          │
        │    POST  create user             ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  │├ Response ─ no response · 0.5 ms ─────────┤
        │                                  ││ Body · Headers · Timeline · Sent         │
        │                                  ││ could not connect to 127.0.0.1:1         │
        │                                  ││ (connection refused)                     │
        │                                  ││ s sends it again · E switches the enviro…│
        │                                  ││                                          │
        │                                  ││     0        2.5 ms   5 ms         10 ms │
        │                                  ││ 1   ▒                                    │
        │                                  ││     could not connect to 127.0.0.1:1     │
        │                                  ││     (connection refused) · 0.4 ms        │
        │                                  ││                                          │
        │                                  ││     ░ resolve  ▒ connect  ▒ TLS  ▓ wait  │
        │                                  ││     1 attempt · 0.5 ms of 2s SLA         │
        │                                  ││                                          │
        └──────────────────────────────────┘└──────────────────────────────────────────┘
             Enter open  a add  R rename  s send  E environment  w save  ? help  q quit
        """

    static let help = """
        ┌ Collections ─────────────────────┐┌ Request ─ list users ────────── local ▾ ─┐
        │ ▾ ┌─ Keys ───────────────────────────────────────────────────────────────┐   │
        │  ▾│ Collections                                                          │Po…│
        │   │ Enter               Open or close a folder; edit a request           │e …│
        │   │ Left h              Close the folder, or go to its parent            │   │
        │   │ Right l             Open the folder, or go to the request            │   │
        │   │ a                   Add a request                                    │   │
        │   │ A                   Add a folder                                     │   │
        │   │ d                   Delete the item (u restores it)                  │───┤
        │   │ D                   Duplicate the item                               │   │
        │   │ R                   Rename the item                                  │   │
        │   │ J                   Move the item down                               │   │
        │   │ K                   Move the item up                                 │   │
        │   │ e                   Open the collection file in $EDITOR              │   │
        │   │                                                                      │   │
        │   │ Lists and bodies                                                     │   │
        │   │ Up k                Move up                                          │   │
        │   │ Down j              Move down                                        │   │
        │   │ PageUp              Move a page up                                   │   │
        │   │ PageDown Space      Move a page down                                 │   │
        │   │ Ctrl+U              Move half a page up                              │   │
        │   └──────────────────────────────────────────────────────────────────────┘   │
        └──────────────────────────────────┘└──────────────────────────────────────────┘
                                                               PageDown more  Esc close
        """

    static let picker = """
        ┌ Collections ─────────────────────┐┌ Request ─ list users ────────── local ▾ ─┐
        │ ▾ demo                           ││ GET http://127.0.0.1:8765/users          │
        │  ▾ users                         ││ Params · Headers · Body · Auth ↑env · Po…│
        │    GET   list users              ││ No parameters. a adds one; :name in the …│
        │    GET   user by id              ││                                          │
        │    POST  create user             ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                ┌─ Environment of demo ──────────────────────┐────────────────┤
        │                │ type to narrow down                        │ · Sent         │
        │                │                                            │                │
        │                │ local                http://127.0.0.1:8765 │                │
        │                │ live   https://api.example.com · protected │                │
        │                └────────────────────────────────────────────┘                │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        └──────────────────────────────────┘└──────────────────────────────────────────┘
                                                                Enter choose  Esc close
        """

    static let question = """
        ┌ Collections ─────────────────────┐┌ Request ─ list users copy ● ─── local ▾ ─┐
        │ ▾ demo ●                         ││ GET http://127.0.0.1:8765/users          │
        │  ▾ users                         ││ Params · Headers · Body · Auth ↑env · Po…│
        │    GET   list users              ││ No parameters. a adds one; :name in the …│
        │    GET   list users copy ●       ││                                          │
        │    GET   user by id              ││                                          │
        │    POST  create user             ││                                          │
        │                                  ││                                          │
        │                                  │├ Response ────────────────────────────────┤
        │               ┌─ Question ──────────────────────────────────┐ · Sent         │
        │               │ Not saved: demo.json                        │                │
        │               │                                             │                │
        │               │ y save and quit   n quit without   Esc back │                │
        │               └─────────────────────────────────────────────┘                │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        └──────────────────────────────────┘└──────────────────────────────────────────┘
                                                                  y yes  n no  Esc back
        """

    static let broken = """
        ┌ Collections ─────────────────────┐┌ Request ─────────────────────────────────────────────────────────────────────────┐
        │ ✗ demo.json                      ││ demo.json could not be read.                                                     │
        │                                  ││ Enter opens it in $EDITOR; the file stays as it is until then.                   │
        │                                  ││                                                                                  │
        │                                  ││ line 4, column 14: expected a value or ']', found 'oops'                         │
        │                                  ││                                                                                  │
        │                                  │├ Response ────────────────────────────────────────────────────────────────────────┤
        │                                  ││ Body · Headers · Timeline · Sent                                                 │
        │                                  ││ Choose a request; s sends it.                                                    │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        │                                  ││                                                                                  │
        └──────────────────────────────────┘└──────────────────────────────────────────────────────────────────────────────────┘
         could not read demo.json: select it to see why      Enter open  a add  R rename  s send  E environment  ? help  q quit
        """

    static let empty = """
        ┌ Collections ─────────────────────┐┌ Request ─────────────────────────────────┐
        │ No collections here.             ││                                          │
        │                                  ││                                          │
        │ ombi demo shows one;             ││                                          │
        │ ombi PATH opens yours.           │├ Response ────────────────────────────────┤
        │                                  ││ Body · Headers · Timeline · Sent         │
        │                                  ││ Choose a request; s sends it.            │
        │                                  ││                                          │
        │                                  ││                                          │
        │                                  ││                                          │
        └──────────────────────────────────┘└──────────────────────────────────────────┘
             Enter open  a add  R rename  s send  E environment  w save  ? help  q quit
        """
}
