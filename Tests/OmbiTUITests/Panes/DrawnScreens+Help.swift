/// The help, and the first screen on a terminal without symbols.
extension DrawnScreens {
    static let helpWide = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ┌─ Keys ───────────────────────────────────────────────────────────────────────────────────────────────────────────────┐
        │ Most used here                                             Alt+2, ; 2       Go to the tab Headers                    │
        │ s F5             Send the request; run the folder or the   Alt+3, ; 3       Go to the tab Expect                     │
        │                  collection                                Alt+4, ; 4       Go to the tab Timeline                   │
        │ ] Enter          Go to the next tab                        Alt+5, ; 5       Go to the tab History                    │
        │ E                Switch the environment                    Alt+6, ; 6       Go to the tab Statistics                 │
        │ w                Save the collection                       Alt+7, ; 7       Go to the tab Cookies                    │
        │ Tab              Go to the next pane                       Alt+8, ; 8       Go to the tab TLS                        │
        │ : Ctrl+P         Find a command, field, request or         Alt+9, ; 9       Go to the tab Sent                       │
        │                  environment                                                                                         │
        │ ?                Show this help                            Lists and bodies                                          │
        │ q                Quit, after questions about runs and      Up k             Move up                                  │
        │                  unsaved edits                             Down j           Move down                                │
        │                                                            PageUp           Move a page up                           │
        │ Response                                                   PageDown Space   Move a page down                         │
        │ ] Enter          Go to the next tab                        Ctrl+U           Move half a page up                      │
        │ [                Go to the previous tab                    Ctrl+D           Move half a page down                    │
        │ Left h           Scroll left                               g Home           Go to the top                            │
        │ Right l          Scroll right                              G End            Go to the end                            │
        │ ,                Show the response before this one                                                                   │
        │ .                Show the response after this one          Everywhere                                                │
        │ b                Toggle between the fallback and the       s F5             Send the request; run the folder or the  │
        │                  response                                                   collection                               │
        │ X                Expect the value under the cursor         x                Cancel the run                           │
        │ Y                Choose what to copy                       r                Retry now: end the wait or the attempt   │
        │ |                Filter the body with JSONPath (RFC        +                Allow one more attempt                   │
        │                  9535)                                     V                Watch: send every few seconds, or stop   │
        │ !                Run a shell command on the body                            that                                     │
        │ S                Save the body to a file                   E                Switch the environment                   │
        │ Alt+1, ; 1       Go to the tab Body                        O                Sign out: forget the environment's       │
        └─────────────────────────────────────────────────────────────────────────────────────────────────────────── 58/503 ↓ ─┘
        ╰──────────────────────────── 3/5 ─┺━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
         / search  PageDown more  Esc close
        """

    static let helpSearch = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ┌─ Keys ───────────────────────────────────────────────────────────────────────────────────────────────────────────────┐
        │ /copy                                                                                                                │
        │                                                                                                                      │
        │ Requests                                                   y                Copy the selected rows                   │
        │ c                Copy the item to a folder                                                                           │
        │ Y                Choose what to copy                                                                                 │
        │                                                                                                                      │
        │ Everywhere                                                                                                           │
        │ y                Copy what is under the cursor                                                                       │
        │                                                                                                                      │
        │ Wherever text is typed                                                                                               │
        │ Alt+c            Copy the selection, or the line                                                                     │
        │                                                                                                                      │
        │ Marked requests                                                                                                      │
        │ P                Copy the marked items here                                                                          │
        │                                                                                                                      │
        │ Request                                                                                                              │
        │ Y                Choose what to copy                                                                                 │
        │                                                                                                                      │
        │ Response                                                                                                             │
        │ Y                Choose what to copy                                                                                 │
        │                                                                                                                      │
        │ Body                                                                                                                 │
        │ y                Copy the value or line under the cursor                                                             │
        │ Y                Choose what to copy                                                                                 │
        │ Alt+y            Copy the whole body                                                                                 │
        │ C                Copy the path of the value under the                                                                │
        │                  cursor                                                                                              │
        │                                                                                                                      │
        │ Selected rows                                                                                                        │
        └──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/5 ━┹───────────────────────────────────────────────────────────────────────────────────╯
         Enter show  Esc close
        """

    static let ascii = """
         demo > users > list users                              local v  127.0.0.1:8765
        + 1 Requests ==================================================================+
        | v demo                                                                     3 |
        |  v users                                                                   3 |
        |    GET   list users                                                          |
        |    GET   user by id                                                          |
        |    POST  create user                                                         |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        +======================================================================== 3/5 =+
         s send  Enter open  / search  a add  R rename  : commands  ? help  q quit
        """
}
