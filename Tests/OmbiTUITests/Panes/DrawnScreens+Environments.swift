extension DrawnScreens {
    /// The editor of environments, by the columns of the screen.
    static let environments: [Int: String] = [
        120: """
        ┌─ Environments of shop ───────────────────────────────────────────────────────────────────────────────────────────────┐
        │                 local in use                                      live                                               │
        │ host            http://127.0.0.1:{{port}}                         https://api.example.com                            │
        │ protected       no                                                yes                                                │
        │ verify TLS      yes                                               yes                                                │
        │ history         yes                                               yes                                                │
        │ objective                                                                                                            │
        │ trace                                                                                                                │
        │ Headers  Enter adds a header                                                                                         │
        │ Authorization   Bearer {{token}}                                  Bearer ••••••                                      │
        │ X-Team          core                                                                                                 │
        │ Variables  Enter adds a variable                                                                                     │
        │ port            8765                                              ↑ 443                                              │
        │ token           t                                                 a secret                                           │
        │ page            ✗ undefined                                       ✗ undefined                                        │
        │ Secrets  Enter adds a secret                                                                                         │
        │ token                                                             ✗ env SHOP_TOKEN not set                           │
        │ Policy                                                                                                               │
        │ retries         3                                                 ↑ 1                                                │
        │ SLA                                                                                                                  │
        │ timeout                                                                                                              │
        │ backoff first                                                                                                        │
        │ backoff factor                                                                                                       │
        │ backoff jitter                                                                                                       │
        │ retry on                                                                                                             │
        │ retry budget                                                                                                         │
        │ breaker                                                                                                              │
        │ authentication  inherit                                           inherit                                            │
        │ inherits                                                                                                             │
        │ env file                                                                                                             │
        │ abstract        no                                                no                                                 │
        │ used by 1 request and 1 place here                                                                                   │
        └──────────────────────────────────────────────────────────────────────────────────────────────────────────── 15/48 ↓ ─┘
         Enter edit  Space use  a add  d delete  A new  w save  : commands  ? help  Esc close
        """,
        80: """
        ┌─ Environments of shop ───────────────────────────────────────────────────────┐
        │                 local in use                  live                           │
        │ host            http://127.0.0.1:{{port}}     https://api.example.com        │
        │ protected       no                            yes                            │
        │ verify TLS      yes                           yes                            │
        │ history         yes                           yes                            │
        │ objective                                                                    │
        │ trace                                                                        │
        │ Headers  Enter adds a header                                                 │
        │ Authorization   Bearer {{token}}              Bearer ••••••                  │
        │ X-Team          core                                                         │
        │ Variables  Enter adds a variable                                             │
        │ port            8765                          ↑ 443                          │
        │ token           t                             a secret                       │
        │ page            ✗ undefined                   ✗ undefined                    │
        │ Secrets  Enter adds a secret                                                 │
        │ token                                         ✗ env SHOP_TOKEN not set       │
        │ Policy                                                                       │
        │ retries         3                             ↑ 1                            │
        │ SLA                                                                          │
        │ timeout                                                                      │
        │ used by 1 request and 1 place here                                           │
        └──────────────────────────────────────────────────────────────────── 15/48 ↓ ─┘
         Enter edit  Space use  a add  d delete  A new  : commands  ? help  Esc close
        """,
        60: """
        ┌─ Environments of shop ───────────────────────────────────┐
        │                 local in use        live                 │
        │ verify TLS      yes                 yes                  │
        │ history         yes                 yes                  │
        │ objective                                                │
        │ trace                                                    │
        │ Headers  Enter adds a header                             │
        │ Authorization   Bearer {{token}}    Bearer ••••••        │
        │ X-Team          core                                     │
        │ Variables  Enter adds a variable                         │
        │ port            8765                ↑ 443                │
        │ token           t                   a secret             │
        │ page            ✗ undefined         ✗ undefined          │
        │ Secrets  Enter adds a secret                             │
        │ token                               ✗ env SHOP_TOKEN n…  │
        │ used by 1 request and 1 place here                       │
        └────────────────────────────────────────────── ↑ 15/48 ↓ ─┘
         Enter edit  Space use  : commands  ? help  Esc close
        """,
    ]

    /// A list that completes the name of a header.
    static let completion: [Int: String] = [
        120: """
         demo › users › list users ●                                                                    local ▾  127.0.0.1:8765
        ╭ 1 Requests ──────────────────────┲ 2 Request ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        │ ▾ demo ●                       3 ┃ GET http://127.0.0.1:8765/users                                                   ┃
        │  ▾ users                       3 ┃ Params  Headers 1  Body  Auth ↑env  Policy  Capture  Expect  Connection  About    ┃
        │    GET   list users ●            ┃ ✓ acc                                                                             ┃
        │    GET   user by id              ┃ ↑▌Accept            rer {{token}}  from environment local                         ┃
        │    POST  create user             ┃   Accept-Encoding                                                                 ┃
        │                                  ┃   Accept-Language                                                                 ┃
        │                                  ┃                                                                                   ┃
        │                                  ┃                                                                                   ┃
        │                                  ┃                                                                                   ┃
        │                                  ┃                                                                                   ┃
        │                                  ┡ 3 Response ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
        │                                  │ Body · Headers · Expect · Timeline · History · Statistics · Cookies · TLS · Sent  │
        │                                  │ Not sent yet. s sends it.                                                         │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        │                                  │                                                                                   │
        ╰──────────────────────────── 3/5 ─┴───────────────────────────────────────────────────────────────────────────────────╯
         Tab insert  Down choose  Enter submit  Esc close
        """,
        80: """
         1 Requests › demo › users › list users ●               local ▾  127.0.0.1:8765
        ┏ 2 Request ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ GET http://127.0.0.1:8765/users                                              ┃
        ┃ Params  Headers 1  Body  Auth  Policy  Capture  Expect  Connection  About    ┃
        ┃ ✓ acc                                                                        ┃
        ┃ ↑▌Accept            rer {{token}}  from environment local                    ┃
        ┃   Accept-Encoding                                                            ┃
        ┃   Accept-Language                                                            ┃
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
         Tab insert  Down choose  Enter submit  Esc close
        """,
        60: """
         1 Requests › users › list users ●  local ▾  127.0.0.1:8765
        ┏ 2 Request ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ GET http://127.0.0.1:8765/users                          ┃
        ┃ Params  Headers 1  Body  Auth  Policy  Capture  Expect  …┃
        ┃ ✓ acc                                                    ┃
        ┃ ↑▌Accept            rer {{token}}  from environment local┃
        ┃   Accept-Encoding                                        ┃
        ┃   Accept-Language                                        ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┡ 3 Response ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
        │ Body  Headers  Expect  Timeline  History  Statistics  …  │
        ╰──────────────────────────────────────────────────────────╯
         Tab insert  Down choose  Enter submit  Esc close
        """,
    ]

    /// The prompt before a request may change something in a protected environment.
    static let protected: [Int: String] = [
        120: """
         demo › users › create user                                                           live protected ▾  api.example.com
        ┏ 1 Requests ━━━━━━━━━━━━━━━━━━━━━━┱ 2 Request ────────────────────────────────────────────────────────────────────────╮
        ┃ ▾ demo                         3 ┃ POST https://api.example.com/users                                                │
        ┃  ▾ users                       3 ┃ Params  Headers  Body json  Auth  Policy  Capture  Expect  Connection  About      │
        ┃    GET   list users              ┃ No parameters. Enter adds one; :name in the path makes one.                       │
        ┃    GET   user by id              ┃                                                                                   │
        ┃    POST  create user             ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┃                                                                                   │
        ┃                                  ┠ 3 Response ───────────────────────────────────────────────────────────────────────┤
        ┃                                  ┃ B┌─ Protected ──────────────────────────────┐· Statistics · Cookies · TLS · Sent  │
        ┃                                  ┃ N│ POST /users                              │                                     │
        ┃                                  ┃  │ goes to the protected environment live.  │                                     │
        ┃                                  ┃  │ Type its name to send, Esc goes back.    │                                     │
        ┃                                  ┃  │ li                                       │                                     │
        ┃                                  ┃  └──────────────────────────────────────────┘                                     │
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
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 5/5 ━┹───────────────────────────────────────────────────────────────────────────────────╯
         Enter submit  Esc cancel
        """,
        80: """
         demo › users › create user                   live protected ▾  api.example.com
        ┏ 1 Requests ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ ▾ demo                                                                     3 ┃
        ┃  ▾ users                                                                   3 ┃
        ┃    GET   list users                                                          ┃
        ┃    GET   user by id                                                          ┃
        ┃    POST  create user                                                         ┃
        ┃                                                                              ┃
        ┃                 ┌─ Protected ──────────────────────────────┐                 ┃
        ┃                 │ POST /users                              │                 ┃
        ┃                 │ goes to the protected environment live.  │                 ┃
        ┃                 │ Type its name to send, Esc goes back.    │                 ┃
        ┃                 │ li                                       │                 ┃
        ┃                 └──────────────────────────────────────────┘                 ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┃                                                                              ┃
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 5/5 ━┛
         Enter submit  Esc cancel
        """,
        60: """
         users › create user      live protected ▾  api.example.com
        ┏ 1 Requests ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ ▾ demo                                                 3 ┃
        ┃  ▾ users                                               3 ┃
        ┃    GET   list users                                      ┃
        ┃    GET┌─ Protected ──────────────────────────────┐       ┃
        ┃    POS│ POST /users                              │       ┃
        ┃       │ goes to the protected environment live.  │       ┃
        ┃       │ Type its name to send, Esc goes back.    │       ┃
        ┃       │ li                                       │       ┃
        ┃       └──────────────────────────────────────────┘       ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 5/5 ━┛
         Enter submit  Esc cancel
        """,
    ]
}
