/// The help, and the first screen on a terminal without symbols.
extension DrawnScreens {
    static let helpWide = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ╭┌─ Keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────┐╮
        ││ Response                                                  Ctrl+N           Open a scratch request, which is in no  ││
        ││ ] Enter          Go to the next tab                                        file                                    ││
        ││ [                Go to the previous tab                   Tab              Go to the next pane                     ││
        ││ Left h           Scroll left                              Shift+Tab        Go to the previous pane                 ││
        ││ Right l          Scroll right                             1                Go to the requests                      ││
        ││ X                Expect the value under the cursor        2                Go to the request                       ││
        ││ Y                Choose what to copy                      3                Go to the response                      ││
        ││                                                           z                Toggle full screen for this pane        ││
        ││ Lists and bodies                                          Alt+Left         Move the divider left                   ││
        ││ Up k             Move up                                  Alt+Right        Move the divider right                  ││
        ││ Down j           Move down                                Alt+Up           Move the divider up                     │┪
        ││ PageUp           Move a page up                           Alt+Down         Move the divider down                   │┃
        ││ PageDown Space   Move a page down                         y                Copy what is under the cursor           │┃
        ││ Ctrl+U           Move half a page up                      Ctrl+L           Redraw the screen                       │┃
        ││ Ctrl+D           Move half a page down                    Ctrl+Z           Suspend Ombi (fg resumes it)            │┃
        ││ g Home           Go to the top                            Esc              Leave full screen                       │┃
        ││ G End            Go to the end                            : Ctrl+P         Find a command, a request or an         │┃
        ││                                                                            environment                             │┃
        ││ Everywhere                                                L                Show the message log                    │┃
        ││ s F5             Send the request; run the folder or      F1               Open the manual                         │┃
        ││                  the collection                           ?                Show this help                          │┃
        ││ x                Cancel the run                           q Ctrl+C         Quit, after a question about unsaved    │┃
        ││ r                Retry now: end the wait or the attempt                    edits                                   │┃
        ││ +                Allow one more attempt                                                                            │┃
        ││ E                Switch the environment                   Symbols                                                  │┃
        ││ w                Save the collection                      ●                Has unsaved edits                       │┃
        ││ T                Show the run of the last folder          ◆                Marked, to be moved, copied or deleted  │┃
        ││ u                Undo the last edit of the collection                      together                                │┃
        ││ U Ctrl+R         Redo the edit undone last                ✓                Succeeded; valid; sent                  │┃
        │└────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘┃
        ╰──────────────────────────── 3/5 ─┺━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
         / search  PageDown more  Esc close
        """

    static let helpSearch = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ┏┌─ Keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────┐╮
        ┃│ /copy                                                                                                              ││
        ┃│                                                                                                                    ││
        ┃│ Requests                                                  Editing a field                                          ││
        ┃│ c                Copy the item to a folder                Alt+c            Copy the selection, or the line         ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│                                                           Editing a body                                           ││
        ┃│ Everywhere                                                Alt+c            Copy the selection, or the line         ││
        ┃│ y                Copy what is under the cursor                                                                     ││
        ┃│                                                                                                                    ││
        ┃│ Marked requests                                                                                                    ││
        ┃│ P                Copy the marked items here                                                                        │┤
        ┃│                                                                                                                    ││
        ┃│ Request                                                                                                            ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│                                                                                                                    ││
        ┃│ Response                                                                                                           ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│                                                                                                                    ││
        ┃│ Body                                                                                                               ││
        ┃│ y                Copy the value or line under the                                                                  ││
        ┃│                  cursor                                                                                            ││
        ┃│ Y                Choose what to copy                                                                               ││
        ┃│ Alt+y            Copy the whole body                                                                               ││
        ┃│ C                Copy the path of the value under the                                                              ││
        ┃│                  cursor                                                                                            ││
        ┃│                                                                                                                    ││
        ┃│ Selected rows                                                                                                      ││
        ┃│ y                Copy the selected rows                                                                            ││
        ┃│                                                                                                                    ││
        ┃└────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘│
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/5 ━┹───────────────────────────────────────────────────────────────────────────────────╯
         Enter keep  Esc all keys
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
