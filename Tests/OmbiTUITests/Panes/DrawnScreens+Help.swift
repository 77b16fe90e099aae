/// The help, and the first screen on a terminal without symbols.
extension DrawnScreens {
    static let helpWide = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ┌─ Keys ───────────────────────────────────────────────────────────────────────────────────────────────────────────────┐
        │ Most used here                                                                                                       │
        │ s F5             Send the request; run the folder or the   Lists and bodies                                          │
        │                  collection                                Up k             Move up                                  │
        │ ] Enter          Go to the next tab                        Down j           Move down                                │
        │ E                Switch the environment                    PageUp           Move a page up                           │
        │ w                Save the collection                       PageDown Space   Move a page down                         │
        │ Tab              Go to the next pane                       Ctrl+U           Move half a page up                      │
        │ : Ctrl+P         Find a command, field, request or         Ctrl+D           Move half a page down                    │
        │                  environment                               g Home           Go to the top                            │
        │ ?                Show this help                            G End            Go to the end                            │
        │ q                Quit, after questions about runs and                                                                │
        │                  unsaved edits                             Everywhere                                                │
        │                                                            s F5             Send the request; run the folder or the  │
        │ Response                                                                    collection                               │
        │ ] Enter          Go to the next tab                        x                Cancel the run                           │
        │ [                Go to the previous tab                    r                Retry now: end the wait or the attempt   │
        │ Left h           Scroll left                               +                Allow one more attempt                   │
        │ Right l          Scroll right                              V                Watch: send every few seconds, or stop   │
        │ ,                Show the response before this one                          that                                     │
        │ .                Show the response after this one          E                Switch the environment                   │
        │ X                Expect the value under the cursor         w                Save the collection                      │
        │ Y                Choose what to copy                       T                Show the run of the last folder          │
        │ |                Filter the body with JSONPath (RFC        u                Undo the last edit of the collection     │
        │                  9535)                                     U Ctrl+R         Redo the edit undone last                │
        │ !                Run a shell command on the body           Ctrl+N           Open a scratch request, which is in no   │
        │ D                Compare with the mark, or the previous                     file                                     │
        │                  response                                  Ctrl+O           Import a curl command or a URL           │
        │ S                Save the body to a file                   Tab              Go to the next pane                      │
        │ Alt+1 … 9, ; 1 … 9 Go to a tab                             Shift+Tab        Go to the previous pane                  │
        └─────────────────────────────────────────────────────────────────────────────────────────────────────────── 58/545 ↓ ─┘
        ╰──────────────────────────── 3/5 ─┺━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
         / search  PageDown more  Esc close
        """

    static let helpSearch = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ┌─ Keys ───────────────────────────────────────────────────────────────────────────────────────────────────────────────┐
        │ /copy                                                                                                                │
        │                                                                                                                      │
        │ Requests                                                   Copy the whole body                                       │
        │ Y                Choose what to copy                                                                                 │
        │                                                                                                                      │
        │ Everywhere                                                                                                           │
        │ y                Copy what is under the cursor                                                                       │
        │                                                                                                                      │
        │ Wherever text is typed                                                                                               │
        │ Alt+c            Copy the selection, or the line                                                                     │
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
        │ C                Copy the path of the value under the                                                                │
        │                  cursor                                                                                              │
        │                                                                                                                      │
        │ Selected rows                                                                                                        │
        │ y                Copy the selected rows                                                                              │
        │                                                                                                                      │
        │ In the palette (:)                                                                                                   │
        │ Copy the item to a folder                                                                                            │
        │ Copy the selected items here                                                                                         │
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
