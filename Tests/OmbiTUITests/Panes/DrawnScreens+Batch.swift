extension DrawnScreens {
    static let batchPrompt = """
         demo › users                       local ▾  127.0.0.1:8765
        ┏ 1 Requests ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ ▾ demo                                                 3 ┃
        ┃  ▾ users                                               3 ┃
        ┃  ┌─ Run users ────────────────────────────────────────┐  ┃
        ┃  │ 3 requests to local; Enter runs them               │  ┃
        ┃  │ At a time              1                           │  ┃
        ┃  │ Times each             1                           │  ┃
        ┃  │ At most a second       no limit                    │  ┃
        ┃  │ File of data           none                        │  ┃
        ┃  │ Stop at first failure  no                          │  ┃
        ┃  └────────────────────────────────────────────────────┘  ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 2/5 ━┛
         Enter submit  Tab next  Esc cancel
        """

    static let batch: [Int: String] = [
        200: """
         demo                                                                                                                                                                      local ▾  127.0.0.1:8765  ↻ 1
        ┏ Run of demo ─ local ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ 2 of 3 done · 1 failed · 1 running · 0.5 s · 2 at a time                                                                                                                                             ┃
        ┃         Request      Folder  Result                                                                                                                                       Attempts     Time     Size ┃
        ┃ ✓ GET   list users   users   200 OK                                                                                                                                              2   705 ms     65 B ┃
        ┃ ↻ GET   user by id   users   attempt 1/4 · waiting 0.1 s                                                                                                                              0.5 s          ┃
        ┃ ✗ POST  create user  users   could not connect to 127.0.0.1:1 (connection refused)                                                                                               1   0.5 ms          ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃                                                                                                                                                                                                      ┃
        ┃ ✗ could not connect to 127.0.0.1:1 (connection refused)                                                                                                                                              ┃
        ┃                                                                                                                                                                                                      ┃
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/3 ━┛
         x cancel  Ctrl+X all  r retry now  + attempt  Enter open  / filter  ? help  Esc close
        """,
        120: """
         demo                                                                                      local ▾  127.0.0.1:8765  ↻ 1
        ┏ Run of demo ─ local ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ 2 of 3 done · 1 failed · 1 running · 0.5 s · 2 at a time                                                             ┃
        ┃         Request      Folder  Result                                                       Attempts     Time     Size ┃
        ┃ ✓ GET   list users   users   200 OK                                                              2   705 ms     65 B ┃
        ┃ ↻ GET   user by id   users   attempt 1/4 · waiting 0.1 s                                              0.5 s          ┃
        ┃ ✗ POST  create user  users   could not connect to 127.0.0.1:1 (connection refused)               1   0.5 ms          ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃                                                                                                                      ┃
        ┃ ✗ could not connect to 127.0.0.1:1 (connection refused)                                                              ┃
        ┃                                                                                                                      ┃
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/3 ━┛
         x cancel  Ctrl+X all  r retry now  + attempt  Enter open  / filter  ? help  Esc close
        """,
        80: """
         demo                                              local ▾  127.0.0.1:8765  ↻ 1
        ┏ Run of demo ─ local ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ 2 of 3 done · 1 failed · 1 running · 0.5 s · 2 at a time                     ┃
        ┃         Request      Result                                             Time ┃
        ┃ ✓ GET   list users   200 OK · 2 attempts                              705 ms ┃
        ┃ ↻ GET   user by id   attempt 1/4 · waiting 0.1 s                       0.5 s ┃
        ┃ ✗ POST  create user  could not connect to 127.0.0.1:1 (connection …   0.5 ms ┃
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
        ┃ ✗ could not connect to 127.0.0.1:1 (connection refused)                      ┃
        ┃                                                                              ┃
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/3 ━┛
         x cancel  Ctrl+X all  r retry now  + attempt  / filter  ? help  Esc close
        """,
        60: """
         demo                          local ▾  127.0.0.1:8765  ↻ 1
        ┏ Run of demo ─ local ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
        ┃ 2 of 3 done · 1 failed · 1 running · 0.5 s · 2 at a time ┃
        ┃         Request      Result                         Time ┃
        ┃ ✓ GET   list users   200 OK · 2 attempts          705 ms ┃
        ┃ ↻ GET   user by id   1/4 · waiting 0.1 s           0.5 s ┃
        ┃ ✗ POST  create user  could not connect to 127.…   0.5 ms ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┃                                                          ┃
        ┃ ✗ could not connect to 127.0.0.1:1 (connection refused)  ┃
        ┃                                                          ┃
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/3 ━┛
         x cancel  Ctrl+X all  r retry now  + attempt  Esc close
        """,
        40: """
        ┏ Run of demo ─ local ━━━━━━━━━━━━━━━━━┓
        ┃ 2 of 3 done · 1 failed · 1 running   ┃
        ┃ ✓ GET   list users  200       705 ms ┃
        ┃ ↻ GET   user by id  1/4        0.5 s ┃
        ┃ ✗ POST  create user could …   0.5 ms ┃
        ┃                                      ┃
        ┃                                      ┃
        ┃ ✗ could not connect to 127.0.0.1:1 … ┃
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/3 ━┛
         x cancel  Ctrl+X all  r retry now  + a…
        """,
    ]
}
