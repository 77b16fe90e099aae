/// The help, and the first screen on a terminal without symbols.
extension DrawnScreens {
    static let helpWide = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ┌─ Keys ───────────────────────────────────────────────────────────────────────────────────────────────────────────────┐
        │ Most used here                                             S                Save the body to a file                  │
        │ s F5             Send the request; run the folder or the   Alt+1 … 9, ; 1 … 9 Go to a tab                            │
        │                  collection                                                                                          │
        │ ] Enter          Go to the next tab                        Lists and bodies                                          │
        │ E                Switch the environment                    Up k             Move up                                  │
        │ w                Save the collection                       Down j           Move down                                │
        │ Tab              Go to the next pane                       PageUp           Move a page up                           │
        │ : Ctrl+P         Find a command, field, request or         PageDown Space   Move a page down                         │
        │                  environment                               Ctrl+U           Move half a page up                      │
        │ ?                Show this help                            Ctrl+D           Move half a page down                    │
        │ q                Quit, after questions about runs and      g Home           Go to the top                            │
        │                  unsaved edits                             G End            Go to the end                            │
        │                                                                                                                      │
        │ Response                                                   Everywhere                                                │
        │ ] Enter          Go to the next tab                        s F5             Send the request; run the folder or the  │
        │ [                Go to the previous tab                                     collection                               │
        │ Left h           Scroll left                               x                Cancel the run                           │
        │ Right l          Scroll right                              r                Retry now: end the wait or the attempt   │
        │ ,                Show the response before this one         +                Allow one more attempt                   │
        │ .                Show the response after this one          V                Watch: send every few seconds, or stop   │
        │ b                Toggle between the fallback and the                        that                                     │
        │                  response                                  E                Switch the environment                   │
        │ X                Expect the value under the cursor         O                Sign out: forget the environment's       │
        │ Y                Choose what to copy                                        OAuth 2 tokens                           │
        │ |                Filter the body with JSONPath (RFC        w                Save the collection                      │
        │                  9535)                                     T                Show the run of the last folder          │
        │ !                Run a shell command on the body           u                Undo the last edit of the collection     │
        │ D                Compare with the mark, or the previous    U Ctrl+R         Redo the edit undone last                │
        │                  response                                  Ctrl+N           Open a scratch request, which is in no   │
        └─────────────────────────────────────────────────────────────────────────────────────────────────────────── 58/495 ↓ ─┘
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
